import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { type DeriveKey, deriveKey } from "../../../src/access/password.ts";
import { sleep } from "../support/faulty-bindings.ts";
import { from, newAddress } from "../support/rates.ts";
import { newFlag, newWorld } from "../support/world.ts";
import { ask, settled } from "./sdk-clients.ts";

/**
 * Returns how long `work` takes, milliseconds. The clock of an isolate advances only while the
 * isolate waits for something outside.
 */
async function durationOf(work: () => Promise<unknown>): Promise<number> {
  const began = Date.now();
  await work();
  await sleep(0);
  return Date.now() - began;
}

/** Hashes passwords with the real cost. `hashes` has how long each hash took, in milliseconds. */
function timedHashers() {
  const hashes: number[] = [];
  const derive: DeriveKey = async (...args) => {
    let key = new Uint8Array();
    hashes.push(await durationOf(async () => (key = new Uint8Array(await deriveKey(...args)))));
    return key;
  };
  const PASSWORD_HASHERS = {
    getByName: () => ({ derive }),
  } as unknown as Env["PASSWORD_HASHERS"];
  return { hashes, PASSWORD_HASHERS };
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

// In the local runtime, the Durable Objects that hash passwords have the same thread as the isolate
// that serves SDKs. In production they do not, so this test has the worst case.
it("forty simultaneous logins from one address cost four hashes, and delay a poll of an SDK by at most two of them", async () => {
  const { projectId, apiKey: token } = await newWorld();
  await newFlag(projectId);
  const poll = () => durationOf(() => ask(env, "GET", "/api/client/features", { token }));
  await poll();
  const quiet: number[] = [];
  for (let n = 0; n < 50; n++) quiet.push(await poll());
  const { hashes, PASSWORD_HASHERS } = timedHashers();
  const headers = from(newAddress());
  const state = { isOver: false };
  const logins = Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const body = { email: `nobody-${n}@example.com`, password: "wrong" };
      const options = { body, headers };
      const world = { ...env, PASSWORD_HASHERS };
      return (await ask(world, "POST", "/api/v1/auth/login", options)).status;
    }),
  ).finally(() => (state.isOver = true));
  const flooded: { readonly ms: number; readonly hashes: number }[] = [];
  while (!state.isOver) {
    const before = hashes.length;
    const ms = await poll();
    flooded.push({ ms, hashes: hashes.length - before });
    await sleep(5);
  }
  const statuses = await logins;
  await settled();
  const slowest = Math.max(...flooded.map(({ ms }) => ms));
  console.info(
    `quiet ${median(quiet)} ms, slowest ${slowest} ms of ${flooded.length}, hashes ${hashes.join(", ")} ms`,
  );
  expect([hashes.length, statuses.filter((status) => status === 429).length]).toEqual([4, 36]);
  expect(Math.max(...flooded.map((one) => one.hashes))).toBeLessThanOrEqual(2);
  expect(slowest).toBeLessThanOrEqual(10 * median(quiet) + 3 * Math.max(...hashes));
});
