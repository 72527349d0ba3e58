import type { EdgeStore } from "../client/ports.ts";
import type { Snapshot } from "../core/ruleset.ts";
import type { KnownKey } from "../management/api-keys/ports.ts";

/** The contract's cache lifetime, and the least that KV takes. */
const CACHE_TTL_SECONDS = 30;

const rulesOf = (environmentId: number) => `rules:${environmentId}`;
const keyOf = (hash: string) => `key:${hash}`;

/** The edge's store in KV: `rules:{environment}` and `key:{hash}`. */
export function edgeStore(kv: KVNamespace) {
  return {
    snapshot: async (environmentId) =>
      (await kv.get<Snapshot>(rulesOf(environmentId), {
        type: "json",
        cacheTtl: CACHE_TTL_SECONDS,
      })) ?? undefined,
    putSnapshot: (snapshot) => kv.put(rulesOf(snapshot.environmentId), JSON.stringify(snapshot)),
    key: async (hash) =>
      (await kv.get<KnownKey>(keyOf(hash), { type: "json", cacheTtl: CACHE_TTL_SECONDS })) ??
      undefined,
    putKey: (hash: string, key: KnownKey) => kv.put(keyOf(hash), JSON.stringify(key)),
    deleteKey: (hash: string) => kv.delete(keyOf(hash)),
  } satisfies EdgeStore & Record<string, unknown>;
}
