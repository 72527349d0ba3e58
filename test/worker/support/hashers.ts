import { type DeriveKey, deriveKey } from "../../../src/access/password.ts";

/**
 * Derives a key with a thirtieth of the work. With the real cost, a third of the suite's time would
 * be password hashes. `test/core/sessions/password.test.ts` tests the real cost.
 */
export const cheapKey: DeriveKey = (password, salt, cost) =>
  deriveKey(password, salt, { ...cost, logN: 10 });

/**
 * Fake Durable Objects for password hashes: after some milliseconds they return a wrong key. `seen`
 * has the number of hashes that they began, and how many of them ran at a time.
 */
export const pretendedHashers = (ms = 5) => hashersThatWait(() => scheduler.wait(ms));

/** Like `pretendedHashers`, but no hash ends before the test calls `release`. */
export function heldHashers() {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  return { ...hashersThatWait(() => promise), release };
}

function hashersThatWait(wait: () => Promise<void>) {
  const seen = { hashes: 0, running: 0, atOnce: 0 };
  const derive = async () => {
    seen.hashes += 1;
    seen.running += 1;
    seen.atOnce = Math.max(seen.atOnce, seen.running);
    await wait();
    seen.running -= 1;
    return new Uint8Array(32);
  };
  const PASSWORD_HASHERS = {
    getByName: () => ({ derive }),
  } as unknown as Env["PASSWORD_HASHERS"];
  return { seen, PASSWORD_HASHERS };
}
