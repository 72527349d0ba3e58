import type { ClientRule } from "@feature-flags/evaluation/rule";
import { PLAIN_FORM, readEtag } from "./etag.ts";

/**
 * How long the list of changed rules is kept, milliseconds. Delta responses are made from this list
 * (docs/build/decisions.md, 2.7).
 */
export const DELTA_MEMORY_MS = 30 * 24 * 60 * 60 * 1000;

/** The last change of a rule. Times are epoch milliseconds. */
export interface Change {
  readonly revision: number;
  readonly changedAt: number;
}

/** The rules of an environment at one revision, as a delta needs them. */
interface Changed<C extends Change> {
  readonly revision: number;
  readonly changedAt: number;
  readonly etag: string;
  /** The last change of each rule, newest first. */
  readonly changes: readonly C[];
}

/**
 * Returns the tombstone of a deleted flag. Its strategy is empty, because the strategy was deleted
 * with the flag.
 */
export const deletedRule = ({ key, name }: { readonly key: string; readonly name: string }) =>
  ({
    key,
    name,
    enabled: false,
    activation: { rollOut: 0, constraints: [], segments: [] },
  }) satisfies ClientRule;

/**
 * Returns the changes at or after `since` (epoch milliseconds), and those after the revision that
 * the caller has. `heldEtag`: the `If-None-Match` header, which does not match the rules.
 *
 * Returns undefined when the caller needs the full list:
 *
 * - `since` is longer ago than `DELTA_MEMORY_MS`.
 * - `since` is in the future and the caller's revision is unknown. A caller whose clock is fast would
 *   otherwise miss changes.
 * - The caller has other rules of the same revision, or rules of an older form. Another release has
 *   made them, during a deploy or after a rollback.
 */
export function changedSince<C extends Change>(
  { changes, changedAt, etag, revision }: Changed<C>,
  since: number,
  heldEtag: string | undefined,
  now: number,
): readonly C[] | undefined {
  if (since < now - DELTA_MEMORY_MS) return undefined;
  const held = heldEtag === undefined ? undefined : readEtag(heldEtag);
  // `X-Next-Since` is 1 ms after the newest change, which may be later than `now` if the clock of
  // the writer is slightly ahead.
  if (held === undefined && since > Math.max(now, changedAt + 1)) return undefined;
  const form = readEtag(etag)?.form ?? PLAIN_FORM;
  if (held && (held.revision === revision || held.form < form)) return undefined;
  const after = held?.revision ?? Infinity;
  // The changes are sorted newest first, so the search ends at the first one that is too old.
  const end = changes.findIndex((one) => one.changedAt < since && one.revision <= after);
  return end === -1 ? changes : changes.slice(0, end);
}
