/**
 * How many leaves hold the event streams of an environment. All names are known, so no leaf has to
 * tell the hub that it exists. A change costs one call for each leaf.
 */
export const LEAVES = 4;

/** Returns a leaf of an environment by its number. */
export const leafOf = (env: Env, environment: number | string, leaf: number) =>
  env.STREAM_LEAVES.getByName(`${environment}-${leaf}`);

/** The headers of a request that opens a stream, and of its response. */
export const LEAF_HEADERS = {
  kind: "X-Stream-Kind",
  keyId: "X-Stream-Key",
  limit: "X-Stream-Limit",
  newest: "X-Stream-Newest",
} as const;
