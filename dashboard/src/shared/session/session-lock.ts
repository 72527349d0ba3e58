const LOCK = "feature-flags.session";

/**
 * How long a tab keeps the lock after its task, in milliseconds. Each tab may have its own copy of
 * localStorage, and no standard guarantees that a write reaches the other tabs before the release
 * of the lock does.
 */
const LOCK_EXTENSION_MS = 100;

/**
 * Without the Web Locks API, a task starts after a random delay of at most this many milliseconds,
 * so that two tabs rarely start at the same time.
 */
const MAX_RANDOM_DELAY_MS = 500;

/**
 * Runs `task` while no other tab runs a task under the lock. Resolves before the lock is released.
 * Every change of the stored session that depends on the stored value needs the lock. Otherwise a
 * tab may store tokens that another tab has already used up.
 */
export function withSessionLock<T>(task: () => Promise<T>): Promise<T> {
  if (!hasLocks()) return wait(Math.random() * MAX_RANDOM_DELAY_MS).then(task);
  return new Promise((resolve, reject) => {
    void navigator.locks.request(LOCK, async () => {
      await task().then(resolve, reject);
      await wait(LOCK_EXTENSION_MS);
    });
  });
}

/**
 * Whether the browser has the Web Locks API, which requires https or localhost. Without the Web
 * Locks API, the random delay usually lets the later tab read what the earlier tab wrote. If two
 * tabs still collide, the session ends, and the user signs in again without losing the page.
 */
const hasLocks = () => "locks" in navigator;

const wait = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });
