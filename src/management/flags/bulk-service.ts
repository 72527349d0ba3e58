import { conflict } from "../../core/errors/api-error.ts";
import type { Change } from "../../db/commit.ts";
import { rulesOfFlags } from "../../db/rule-changes.ts";
import { flags } from "../../db/schema/projects.ts";
import type { WriteContext } from "../context.ts";
import { allUnchanged, repeatStale } from "../optimistic-update.ts";
import { assertInScope } from "../scope.ts";
import {
  assertVersions,
  type BulkResult,
  type BulkTarget,
  flagsOf,
  naming,
  recordedTogether,
} from "./bulk.ts";
import { archivedOrNot, type RecordedChange, taggedOrNot } from "./changes.ts";
import { notRequiredByOthers, requireNoOtherArchived } from "./prerequisite-queries.ts";
import { type FlagWithTags, updateFlags } from "./queries.ts";
import { attachTag, detachTag, hasTag, MAX_TAGS, type TagInput, tagGuards } from "./tag-queries.ts";

type BulkAction =
  | { readonly action: "archive" | "unarchive" }
  | { readonly action: "tag" | "untag"; readonly tag: TagInput };

type BulkChange = BulkAction & {
  readonly projectId: number;
  readonly flags: readonly BulkTarget[];
};

/** What an action changes on the flags that are not yet as requested. */
interface Effect {
  readonly isDone: (flag: FlagWithTags) => boolean;
  readonly recordOf: (flag: FlagWithTags) => RecordedChange;
  readonly write: (
    flagIds: readonly number[],
    now: number,
  ) => Pick<Change, "guards" | "statements" | "ruleChanges">;
}

/**
 * Archives, unarchives, tags or untags flags of a project in one transaction. The number of SQL
 * statements does not depend on the number of flags. Throws: 404 for a flag or a tag that the
 * project does not have, 402 if the quota of tags is used up, 409 if a flag that is not archived
 * would require an archived flag, or if a flag has too many tags, 412 for a flag with another
 * version than the request demands. The error names the flags.
 */
export async function changeFlags(ctx: WriteContext, change: BulkChange): Promise<BulkResult> {
  const { projectId, flags: targets } = change;
  assertInScope(ctx.actor, projectId);
  const { isDone, recordOf, write } = effectOf(projectId, change);
  return repeatStale(async () => {
    const rows = await flagsOf(ctx.db, projectId, targets);
    assertVersions(targets, rows);
    const unchanged = rows.filter(isDone).map(({ id }) => id);
    const changing = rows.filter((flag) => !isDone(flag));
    const changed = changing.map(({ id }) => id);
    const [first, ...others] = changing.map(recordOf);
    if (!first) return { changed, unchanged, revisions: [] };
    if (change.action === "tag") assertRoomForTag(changing);
    const { guards = [], ...written } = write(changed, ctx.now());
    const revisions = await ctx.commit({
      guards: [allUnchanged(flags, changing), ...guards],
      ...written,
      ...recordedTogether(first, others),
    });
    return { changed, unchanged, revisions };
  });
}

const effectOf = (projectId: number, change: BulkAction): Effect =>
  "tag" in change
    ? tagging(projectId, change.tag, change.action === "tag")
    : archiving(projectId, change.action === "archive");

const archiving = (projectId: number, archived: boolean): Effect => ({
  isDone: (flag) => flag.archived === archived,
  recordOf: (flag) => archivedOrNot(flag, archived),
  write: (flagIds, now) => ({
    guards: [archived ? notRequiredByOthers(flagIds) : requireNoOtherArchived(flagIds)],
    statements: [updateFlags(flagIds, { archived, updatedAt: now })],
    ruleChanges: rulesOfFlags({ projectId }, flagIds),
  }),
});

const tagging = (projectId: number, tag: TagInput, isAdded: boolean): Effect => ({
  isDone: ({ attachedTags }) => hasTag(attachedTags, tag) === isAdded,
  recordOf: (flag) => taggedOrNot(flag, tag, isAdded),
  write: (flagIds, now) => ({
    guards: isAdded ? tagGuards(projectId, [tag]) : [],
    statements: [
      ...(isAdded
        ? attachTag({ projectId, flagIds, tag }, now)
        : [detachTag({ projectId, flagIds, tag })]),
      updateFlags(flagIds, { updatedAt: now }),
    ],
  }),
});

/** Throws: 409 with the keys of the flags that already have the maximum number of tags. */
function assertRoomForTag(changing: readonly FlagWithTags[]): void {
  const full = changing.filter(({ attachedTags }) => attachedTags.length >= MAX_TAGS);
  const message = `A flag can have at most ${MAX_TAGS} tags, which these flags already have`;
  if (full.length > 0)
    throw conflict(
      naming(
        message,
        full.map(({ key }) => key),
      ),
    );
}
