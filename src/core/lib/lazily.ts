/**
 * Returns a function that imports a module at its first call: one that only few isolates run, and that
 * would make the start of all isolates slower. Write `lazily(() => import("…"))`, which the tests of the
 * Worker replace by an import at once (vitest.config.ts).
 */
export function lazily<M>(load: () => Promise<M>): () => Promise<M> {
  let loaded: M | undefined;
  return async () => (loaded ??= await load());
}
