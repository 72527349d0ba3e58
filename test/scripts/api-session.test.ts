import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { Session } from "../../scripts/lib/api.ts";

let server: Server;
afterEach(() => server.close());

/** Starts a service whose login has this response. Returns its address. */
async function serviceWith(status: number, body: object): Promise<string> {
  server = createServer((_request, response) => {
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

describe("the sign-in of a script", () => {
  it.each([
    ["the password is wrong", 401, { error: "Wrong e-mail or password" }],
    ["passwords are turned off", 403, { error: "Passwords are turned off" }],
    ["the administrator has a second factor", 200, { mfaRequired: true, mfaToken: "a.b.c" }],
  ])("returns no session when %s", async (_, status, body) => {
    const address = await serviceWith(status, body);
    const signIn = { email: "ann@example.com", password: "correct-horse-battery" };
    expect(await Session.open(address, signIn)).toBeUndefined();
  });
});
