import { changedSince, revisionOfEtag } from "../core/rules/snapshot.ts";
import type { RuleSet } from "./rule-set.ts";

/**
 * The rules that changed at or after `since` (epoch milliseconds) or after the revision of the ETag
 * that the caller holds, as a JSON array; flags that left the list stand in it as tombstones.
 * Undefined when the full list must be answered (decisions 2.7).
 */
export function deltaBody(
  set: RuleSet,
  since: number,
  heldEtag: string | undefined,
  now: number,
): string | undefined {
  const held = heldEtag === undefined ? undefined : revisionOfEtag(heldEtag);
  const changes = changedSince(set.snapshot, since, held, now);
  const texts = changes?.map((change) =>
    "span" in change ? set.text(change.span) : JSON.stringify(change.tombstone),
  );
  return texts && `[${texts.join(",")}]`;
}
