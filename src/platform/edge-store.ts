import type { EdgeStore } from "../client/ports.ts";
import { isKnownKey, isSnapshot, wellFormed } from "../client/well-formed.ts";
import type { Snapshot } from "../core/rules/snapshot.ts";
import type { KnownKey } from "../management/api-keys/ports.ts";
import { withTimeout } from "./timeout.ts";
import { kvCounters } from "./metrics.ts";

/** The contract's cache lifetime, and the least that KV takes. */
export const CACHE_TTL_SECONDS = 30;

/** Writes happen after an answer, or while the deletion of a key waits. */
const WRITE_BOUND_MS = 5_000;

const rulesOf = (environmentId: number) => `rules:${environmentId}`;
const keyOf = (hash: string) => `key:${hash}`;

/** Errors: KV's; what it has is not well formed. */
async function get<T>(
  kv: KVNamespace,
  name: string,
  isSo: (value: T) => boolean,
): Promise<T | undefined> {
  const found = await kv.get<T>(name, { type: "json", cacheTtl: CACHE_TTL_SECONDS });
  (found === null ? kvCounters.misses : kvCounters.hits).add();
  return found === null ? undefined : wellFormed(name.split(":", 1)[0] ?? "", found, isSo(found));
}

async function put(kv: KVNamespace, name: string, value: object): Promise<void> {
  await withTimeout(WRITE_BOUND_MS, () => kv.put(name, JSON.stringify(value)));
  kvCounters.puts.add();
}

/** The edge's store in KV: `rules:{environment}` and `key:{hash}`. */
export function edgeStore(kv: KVNamespace) {
  return {
    snapshot: (id) =>
      get<Snapshot>(kv, rulesOf(id), (found) => found.environmentId === id && isSnapshot(found)),
    putSnapshot: (snapshot) => put(kv, rulesOf(snapshot.environmentId), snapshot),
    key: (hash) => get<KnownKey>(kv, keyOf(hash), isKnownKey),
    putKey: (hash: string, key: KnownKey) => put(kv, keyOf(hash), key),
    deleteKey: async (hash: string): Promise<void> => {
      await withTimeout(WRITE_BOUND_MS, () => kv.delete(keyOf(hash)));
      kvCounters.evictions.add();
    },
  } satisfies EdgeStore & Record<string, unknown>;
}
