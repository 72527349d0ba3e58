import type { EdgeStore } from "../client/ports.ts";
import { isKnownKey, isSnapshot, validate } from "../client/validate.ts";
import type { Snapshot } from "../core/rules/snapshot.ts";
import type { KnownKey } from "../management/api-keys/ports.ts";
import { withTimeout } from "./timeout.ts";
import { kvCounters } from "./metrics.ts";

/**
 * How long a Cloudflare location caches a value that it read from KV, seconds. KV allows no less
 * than 30.
 */
export const CACHE_TTL_SECONDS = 30;

/** The timeout of one write to KV (a put or a delete), milliseconds. */
const WRITE_TIMEOUT_MS = 5_000;

/**
 * The number of the format of snapshots and the rules in them. Increase this number with every
 * change of the format that older code would read wrongly, or that newer code would miss in an
 * older snapshot.
 */
export const SNAPSHOT_FORMAT = 2;

/**
 * Returns the KV key of an environment's snapshot. The format is part of the KV key: while a deploy
 * or a rollback runs, two versions of the Worker are live, and neither reads nor overwrites the
 * snapshots of the other. A version that finds no snapshot under its KV key builds the rules from
 * the database.
 */
export const snapshotKey = (environmentId: number, format: number = SNAPSHOT_FORMAT): string =>
  `rules:v${format}:${environmentId}`;

const keyName = (hash: string) => `key:${hash}`;

/**
 * Reads a value from KV. Returns undefined when KV has no value. Throws: KV's errors, and an error
 * for an invalid value.
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

/**
 * Returns the store of snapshots and API keys in KV. `format`: the number of the snapshot format.
 */
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
