const LOCK = "feature-flags.session";

// Each tab may be a process with its own copy of localStorage, and no standard guarantees that a
// write reaches the other tabs before the lock does. Hold the lock 100 ms longer; only other tabs
// wait for it.
const STORAGE_SETTLES_MS = 100;

/**
 * Upper bound of a random delay in milliseconds, so that two tabs rarely start at the same time.
 */
const SPREAD_MS = 500;

/**
 * Runs `task` while no other tab runs its own. Resolves before the lock is released. Every read and
 * write-back of the stored session needs the lock: otherwise a tab may store tokens that another
 * tab has already used up.
 */
export function withSessionLock<T>(task: () => Promise<T>): Promise<T> {
  if (!hasLocks()) return wait(Math.random() * SPREAD_MS).then(task);
  return new Promise((resolve, reject) => {
    void navigator.locks.request(LOCK, async () => {
      await task().then(resolve, reject);
      await wait(STORAGE_SETTLES_MS);
    });
  });
}

/**
 * The Web Locks API needs a secure context: https, or http on localhost. Without locks the random
 * delay lets the later tab find what the first one wrote. If two tabs still collide, the session
 * ends, and the user signs in again without losing the page.
 */
const hasLocks = () => "locks" in navigator;

const wait = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });
