import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import worker from "../../../src/worker.ts";
import { adminToken } from "../support/people.ts";

const MIB = 1_048_576;

/** A body that ends after `size` bytes, and counts the bytes that were read. */
function countedBody(size: number) {
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent >= size) return controller.close();
      const part = new Uint8Array(Math.min(65_536, size - sent)).fill(97);
      sent += part.length;
      controller.enqueue(part);
    },
  });
  return { stream, sent: () => sent };
}

let admin: string;
beforeAll(async () => {
  admin = `Bearer ${await adminToken()}`;
});

/** Sends a body without a length, and returns the status of the response. */
async function send(
  [method, path]: readonly [string, string],
  body: ReadableStream,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const request = new Request(`https://flags.test${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    body,
  });
  const response = await worker.fetch(request, env, createExecutionContext());
  await response.body?.cancel();
  return response.status;
}

describe("a body that is refused early", () => {
  const REFUSED: readonly (readonly [number, string, string, boolean])[] = [
    [401, "POST", "/api/v1/flags", false],
    [401, "POST", "/api/client/evaluate", false],
    [401, "POST", "/ofrep/v1/evaluate/flags", false],
    [401, "POST", "/api/mcp", false],
    [404, "POST", "/api/v1/nothing", false],
    [404, "POST", "/api/client/nothing", false],
    [405, "PATCH", "/api/v1/flags", false],
    [405, "POST", "/api/client/features", false],
    [400, "POST", "/api/v1/auth/login", false],
    [400, "POST", "/api/oauth/token", false],
    [400, "POST", "/api/v1/flags", true],
  ];

  it.each(REFUSED)(
    "is read to its end before the %i of %s %s",
    async (status, method, path, isAdmin) => {
      const body = countedBody(2 * MIB);
      const headers = isAdmin ? { Authorization: admin } : {};
      expect(await send([method, path], body.stream, headers)).toBe(status);
      expect(body.sent()).toBe(2 * MIB);
    },
  );

  it("is read up to 16 MiB, so that an endless body gets its response, too", async () => {
    const body = countedBody(Number.POSITIVE_INFINITY);
    expect(await send(["POST", "/api/v1/nothing"], body.stream)).toBe(404);
    expect(body.sent()).toBeGreaterThanOrEqual(16 * MIB);
    expect(body.sent()).toBeLessThan(17 * MIB);
  });

  it("is given up after 5 seconds in which it does not end", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stalled = new ReadableStream<Uint8Array>();
    const answer = send(["POST", "/api/v1/nothing"], stalled);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    vi.advanceTimersByTime(5_000);
    expect(await answer).toBe(404);
    vi.useRealTimers();
  });
});
