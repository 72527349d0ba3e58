import type { ContextRow } from "../model/contexts/queries.ts";
import type { FlagState } from "../model/flags/flag-state.ts";
import type { SegmentRow } from "../model/segments/queries.ts";
import type { ChangedStrategy } from "../model/strategies/write-queries.ts";
import type { TagRow } from "../model/tags/queries.ts";
import type { Pausing } from "@feature-flags/evaluation/pausing";
import { changedPairs, type ChangedRows, changedRows } from "../db/changed-rows.ts";
import type { Work } from "./plan/work.ts";

export interface AllChangedRows {
  readonly flags: ChangedRows<FlagState>;
  readonly strategies: readonly ChangedStrategy[];
  readonly segments: ChangedRows<SegmentRow>;
  readonly tags: ChangedRows<TagRow>;
  readonly contexts: ChangedRows<ContextRow>;
}

/** Compares the rows that were read with the rows after the operations. */
export function* changedTablesOf(work: Work): Pausing<AllChangedRows> {
  const { initial } = work;
  return {
    flags: yield* changedRows(initial.flags, work.flags),
    strategies: (yield* changedPairs(initial.strategies, work.strategies)).flatMap(
      ({ before, after }) =>
        // The strategies of a flag that the operations delete are deleted with it.
        after && (work.flags.has(after.flagId) || (before && !initial.flags.has(after.flagId)))
          ? [{ before, after }]
          : [],
    ),
    segments: yield* changedRows(initial.segments, work.segments),
    tags: yield* changedRows(initial.tags, work.tags),
    contexts: yield* changedRows(initial.contexts, work.contexts),
  };
}
