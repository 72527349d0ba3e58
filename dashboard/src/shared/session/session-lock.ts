const LOCK = "feature-flags.session";

/**
 * How long a tab keeps the lock after its task, in milliseconds. Other tabs may see a write to
 * localStorage late. No standard guarantees that they see the write before they get the lock.
 */
const LOCK_EXTENSION_MS = 100;

/**
 * Without the Web Locks API, a task starts after a random delay of at most this many milliseconds,
 * so that two tabs rarely start at the same time.
 */
const MAX_RANDOM_DELAY_MS = 500;

/**
 * Runs `task` while no other tab holds the session lock. Resolves before the lock is released.
 * Every change of the stored session that depends on the stored value needs the lock. Without the
 * lock, a tab could store tokens that another tab has already replaced.
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
