import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { Api } from "../src/api.ts";

/** Starts a service that answers the first request with 429, and later ones with 200. */
async function limitedOnce(retryAfter: string) {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(429, { "Retry-After": retryAfter });
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { api: new Api(`http://127.0.0.1:${port}`, "t"), server, count: () => requests };
}

it("repeats a request after the time that a rate limit names", async () => {
  const { api, server, count } = await limitedOnce("1");
  expect(await api.get("/flags")).toEqual({});
  expect(count()).toBe(2);
  server.close();
});

it("fails at once when a rate limit names more than a minute", async () => {
  const { api, server, count } = await limitedOnce("61");
  await expect(api.get("/flags")).rejects.toThrow("The service answers 429");
  expect(count()).toBe(1);
  server.close();
});
