import { changedSince, revisionOfEtag } from "../core/ruleset.ts";
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
  if (!changes) return undefined;
  if (changes.length === 0) return "[]";
  const tombstones = changes.flatMap(({ tombstone }) => tombstone ?? []);
  const living = new Set(changes.flatMap(({ key, tombstone }) => (tombstone ? [] : key)));
  const rules = living.size === 0 ? [] : set.rules().filter(({ key }) => living.has(key));
  return JSON.stringify([...rules, ...tombstones]);
}
