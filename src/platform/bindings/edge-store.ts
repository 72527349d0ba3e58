import type { EdgeStore, KeyCopy } from "../../client/sources/ports.ts";
import { isCount, isKnownKey, isSnapshot, validate } from "../../client/sources/validate.ts";
import type { StoredSnapshot } from "../../jobs/deps.ts";
import type { Snapshot } from "../../core/rules/snapshot.ts";
import { now } from "../runtime/clock.ts";
import { withTimeout } from "../runtime/timeout.ts";
import { kvCounters } from "../runtime/metrics.ts";

/** How long a Cloudflare location caches a value that it read from KV, seconds. KV allows no less than 30. */
const CACHE_TTL_SECONDS = 30;

/** The timeout of one write to KV (a put or a delete), milliseconds. */
const WRITE_TIMEOUT_MS = 5_000;

/**
 * The version number of the format of snapshots and of the rules in them. Increase the number if
 * older code would misread new snapshots, or if newer code would miss data in older snapshots.
 */
export const SNAPSHOT_FORMAT = 6;

/**
 * Returns the KV key of an environment's snapshot. The KV key contains the format number, because
 * two versions of the Worker run during a deploy or a rollback. Each version uses only snapshots of
 * its own format. If KV has no such snapshot, the Worker builds the rules from the database.
 */
export const snapshotKey = (environmentId: number, format: number = SNAPSHOT_FORMAT): string =>
  `rules:v${format}:${environmentId}`;

/**
 * How long KV keeps the copy of an API key, seconds: 7 days. Isolates write the copy of a used key
 * again after a day. The limit removes the copy of a deleted key if its deletion from KV failed.
 */
const KEY_TTL_SECONDS = 7 * 24 * 60 * 60;

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

async function put(
  kv: KVNamespace,
  name: string,
  value: object,
  options: KVNamespacePutOptions = {},
): Promise<void> {
  await withTimeout(WRITE_TIMEOUT_MS, () => kv.put(name, JSON.stringify(value), options));
  kvCounters.puts.add();
}

/** Deletes a snapshot by its KV key. Throws: KV's errors. */
export async function deleteSnapshot(kv: KVNamespace, name: string): Promise<void> {
  await withTimeout(WRITE_TIMEOUT_MS, () => kv.delete(name));
  kvCounters.evictions.add();
}

/** Lists the snapshots in KV, of every format, in pages of up to 1,000. Throws: KV's errors. */
export async function* listSnapshots(kv: KVNamespace): AsyncGenerator<readonly StoredSnapshot[]> {
  let cursor: string | null = null;
  do {
    const page: KVNamespaceListResult<unknown> = await kv.list({ prefix: "rules:", cursor });
    yield page.keys.flatMap(({ name }) => {
      const id = /^rules:v\d+:(\d+)$/.exec(name)?.[1];
      return id === undefined ? [] : [{ name, environmentId: Number(id) }];
    });
    cursor = page.list_complete ? null : page.cursor;
  } while (cursor !== null);
}

/** Returns the store of snapshots and API keys in KV. `format`: the number of the snapshot format. */
export function edgeStore(kv: KVNamespace, format: number = SNAPSHOT_FORMAT): EdgeStore {
  return {
    snapshot: (id) =>
      get<Snapshot>(
        kv,
        snapshotKey(id, format),
        (found) => found.environmentId === id && isSnapshot(found),
      ),
    putSnapshot: (snapshot) => put(kv, snapshotKey(snapshot.environmentId, format), snapshot),
    key: (hash) =>
      get<KeyCopy>(kv, keyName(hash), (found) => isKnownKey(found) && isCount(found.writtenAt)),
    putKey: (hash, { id, keyType, environmentId, projectId }) => {
      const copy: KeyCopy = { id, keyType, environmentId, projectId, writtenAt: now() };
      return put(kv, keyName(hash), copy, { expirationTtl: KEY_TTL_SECONDS });
    },
    deleteKey: async (hash) => {
      await withTimeout(WRITE_TIMEOUT_MS, () => kv.delete(keyName(hash)));
      kvCounters.evictions.add();
    },
  };
}
