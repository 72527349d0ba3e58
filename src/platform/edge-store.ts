import type { EdgeStore } from "../client/ports.ts";
import { isKnownKey, isSnapshot, validate } from "../client/validate.ts";
import type { Snapshot } from "../core/rules/snapshot.ts";
import type { KnownKey } from "../management/api-keys/ports.ts";
import { withTimeout } from "./timeout.ts";
import { kvCounters } from "./metrics.ts";

/**
 * How long a location caches a value that it read from KV, seconds. 30 is the least that KV allows.
 */
export const CACHE_TTL_SECONDS = 30;

/** The timeout of a write to KV. Writes run after a response, or while a key is deleted. */
const WRITE_TIMEOUT_MS = 5_000;

/**
 * The format of a snapshot and of the rules in it. Increase it with every change that older code
 * would read wrongly, or that newer code would miss in an older snapshot.
 */
export const SNAPSHOT_FORMAT = 2;

/**
 * The format is in the key, not in the body: while a deploy or a rollback runs, two versions of the
 * Worker are live, and neither reads nor overwrites the snapshots of the other. A version that finds
 * no snapshot under its key builds it from the database.
 */
export const snapshotKey = (environmentId: number, format: number = SNAPSHOT_FORMAT): string =>
  `rules:v${format}:${environmentId}`;

const keyName = (hash: string) => `key:${hash}`;

/**
 * Reads a value from KV; undefined: there is none. Throws: KV's errors, and an error for an invalid
 * value.
 */
async function get<T>(
  kv: KVNamespace,
  name: string,
  isValid: (value: T) => boolean,
): Promise<T | undefined> {
  const found = await kv.get<T>(name, { type: "json", cacheTtl: CACHE_TTL_SECONDS });
  (found === null ? kvCounters.misses : kvCounters.hits).add();
  if (found === null) return undefined;
  return validate(name.split(":", 1)[0] ?? "", found, isValid(found));
}

async function put(kv: KVNamespace, name: string, value: object): Promise<void> {
  await withTimeout(WRITE_TIMEOUT_MS, () => kv.put(name, JSON.stringify(value)));
  kvCounters.puts.add();
}

/** Reads and writes snapshots and keys in KV. `format`: the format of the snapshots. */
export function edgeStore(kv: KVNamespace, format: number = SNAPSHOT_FORMAT) {
  return {
    snapshot: (id) =>
      get<Snapshot>(
        kv,
        snapshotKey(id, format),
        (found) => found.environmentId === id && isSnapshot(found),
      ),
    putSnapshot: (snapshot) => put(kv, snapshotKey(snapshot.environmentId, format), snapshot),
    key: (hash) => get<KnownKey>(kv, keyName(hash), isKnownKey),
    putKey: (hash: string, key: KnownKey) => put(kv, keyName(hash), key),
    deleteKey: async (hash: string): Promise<void> => {
      await withTimeout(WRITE_TIMEOUT_MS, () => kv.delete(keyName(hash)));
      kvCounters.evictions.add();
    },
  } satisfies EdgeStore & Record<string, unknown>;
}
