import type { Snapshot } from "../rules/snapshot.ts";

/** The maximum size of an event with rules, bytes. Clients fetch a larger change themselves. */
const MAX_DELTA_BYTES = 16_384;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Returns the data of an event for SDKs: the rules that changed after the revision `from`, as a
 * JSON object. A client that has exactly the rules of `from` can apply this data to get the newest
 * rules. `digest` is the digest of all rules afterwards. Returns undefined when the data has more
 * than `MAX_DELTA_BYTES`, and when no rule changed.
 */
export function deltaOf(snapshot: Snapshot, from: number): string | undefined {
  const { revision, etag, digest, changedAt, changes } = snapshot;
  const changed = changes.filter((change) => change.revision > from);
  const spans = changed.flatMap((change) => ("span" in change ? [change.span] : []));
  const length = spans.reduce((sum, [start, end]) => sum + end - start, 0);
  if (changed.length === 0 || length > MAX_DELTA_BYTES) return undefined;
  const body = encoder.encode(snapshot.body);
  const rules = changed.map((change) =>
    "span" in change
      ? decoder.decode(body.subarray(...change.span))
      : JSON.stringify(change.tombstone),
  );
  const nextSince = new Date(changedAt + 1).toISOString();
  const head = JSON.stringify({ revision, from, etag, digest, nextSince });
  const data = `${head.slice(0, -1)},"rules":[${rules.join(",")}]}`;
  return encoder.encode(data).length > MAX_DELTA_BYTES ? undefined : data;
}
