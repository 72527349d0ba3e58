/**
 * How many leaves hold the event streams of a channel. The number is fixed, so the hub knows all
 * leaves. A change costs one call for each leaf.
 */
export const LEAVES = 4;

/** Returns a leaf of a channel by its number. A channel is an environment or a project. */
export const leafOf = (env: Env, channel: number | string, leaf: number) =>
  env.STREAM_LEAVES.getByName(`${channel}-${leaf}`);

/** The headers of a request that opens a stream, and of its response. */
export const LEAF_HEADERS = {
  kind: "X-Stream-Kind",
  keyId: "X-Stream-Key",
  limit: "X-Stream-Limit",
  holder: "X-Stream-Holder",
  holderLimit: "X-Stream-Holder-Limit",
  newest: "X-Stream-Newest",
} as const;
