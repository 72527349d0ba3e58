const LOCK = "feature-flags.session";

// Tabs may be processes with copies of localStorage, and no standard promises that a write arrives
// there before the lock does. A tenth of a second is ample, and only other tabs wait for it.
const STORAGE_SETTLES_MS = 100;

/** For whoever chooses a moment by chance, so that two rarely choose the same. */
const SPREAD_MS = 500;

/**
 * Runs `task` while no other tab runs its own, and answers before the turn is handed on. What reads
 * the stored session and writes it again needs one: else it may write back tokens that are used up.
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
 * Browsers offer locks to secure contexts only: plain http has them on localhost alone. Elsewhere
 * the tab that comes later finds what the first has written; should both ever come at once, the
 * session ends, and everybody goes on in place after signing in again.
 */
const hasLocks = () => "locks" in navigator;

const wait = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });
