import { describe, expect, it } from "vitest";
import type { Api } from "../src/api.ts";
import { tokenFromDevice } from "../src/commands/device-login.ts";
import { Failure } from "../src/failure.ts";
import { Terminal } from "../src/terminal.ts";

const START = {
  deviceCode: "device",
  userCode: "WDJB-MJHT",
  verificationUri: "https://flags.example/device",
  verificationUriComplete: "https://flags.example/device?code=WDJB-MJHT",
  expiresIn: 60,
  interval: 5,
};

/** Signs in at a service that answers the polls with these errors, and then with a token. */
async function signIn(errors: readonly Failure[]) {
  const waits: number[] = [];
  const answers = [...errors];
  const post = async (path: string) => {
    if (path === "/auth/device") return START;
    const error = answers.shift();
    if (error !== undefined) throw error;
    return { token: "ffpat_new" };
  };
  const terminal = new Terminal(true);
  terminal.message = () => {};
  const token = await tokenFromDevice({ post } as unknown as Api, terminal, async (seconds) =>
    waits.push(seconds),
  );
  return { token, waits };
}

const refusal = (code: string) => new Failure("error", code, { code });

describe("a login in the browser", () => {
  it("waits longer after SLOW_DOWN, and repeats a lost request", async () => {
    const lost = new Failure("unreachable", "lost");
    const errors = [refusal("AUTHORIZATION_PENDING"), refusal("SLOW_DOWN"), lost];
    expect(await signIn(errors)).toEqual({ token: "ffpat_new", waits: [5, 5, 10, 15] });
  });

  it.each(["ACCESS_DENIED", "EXPIRED_TOKEN"])("ends with an access error for %s", async (code) => {
    await expect(signIn([refusal(code)])).rejects.toMatchObject({ exit: "access", code });
  });

  it("ends when nobody has confirmed the code in time", async () => {
    const errors = Array.from({ length: 20 }, () => refusal("AUTHORIZATION_PENDING"));
    await expect(signIn(errors)).rejects.toMatchObject({ code: "EXPIRED_TOKEN" });
  });
});
