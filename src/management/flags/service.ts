import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { Change, Revision } from "../../db/commit.ts";
import type { EventType } from "../../db/outbox.ts";
import { ruleInEveryEnvironment } from "../../db/rule-changes.ts";
import { type FlagType, flags } from "../../db/schema/projects.ts";
import type { ReadContext, WriteContext } from "../context.ts";
import type { ById, ByIdIfMatch, ChangeOf } from "../input.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { projectExists } from "../projects/queries.ts";
import { assertInScope } from "../scope.ts";
import * as queries from "./queries.ts";
import type { FlagRow } from "./queries.ts";
import { attachTags, detachTags, type TagInput, tagGuards } from "./tag-queries.ts";

/**
 * The result of a write to a flag: the flag, and the new revisions of the environments whose rules
 * changed.
 */
export interface Written {
  readonly flag: FlagRow;
  readonly revisions: readonly Revision[];
}

interface FlagContent {
  readonly name: string;
  readonly description: string | null;
  readonly tags: readonly TagInput[];
}

const missing = () => notFound("The flag does not exist");

/** Returns a flag. Throws: 404 for an unknown id, 403 for an API key of another project. */
export async function getFlag({ db, actor }: ReadContext, { id }: ById): Promise<FlagRow> {
  const flag = await queries.findFlag(db, id);
  if (!flag) throw missing();
  assertInScope(actor, flag.projectId);
  return flag;
}

/**
 * Creates a flag. Throws: 404 for an unknown project or tag, 409 if the key is in use, 402 if the
 * quota of flags or tags is used up.
 */
export async function createFlag(
  ctx: WriteContext,
  input: Omit<FlagContent, "description"> & {
    readonly description?: string | null | undefined;
    readonly key: string;
    readonly flagType: FlagType;
    readonly projectId: number;
  },
): Promise<Written> {
  const { key, name, description = null, flagType, tags, projectId } = input;
  const now = ctx.now();
  const flag = { key, name, description, flagType };
  const entityId = queries.flagIdByKey(projectId, key);
  const revisions = await ctx.commit({
    guards: [
      { holds: projectExists(projectId), error: notFound("The project does not exist") },
      { quota: "FLAGS", count: queries.countFlags(projectId) },
      ...tagGuards(projectId, tags),
    ],
    statements: [
      queries.insertFlag({ ...flag, projectId, createdAt: now, updatedAt: now }),
      ...attachTags({ projectId, key }, tags, now),
    ],
    audit: [
      {
        action: "flag.created",
        entityType: "flag",
        entityId,
        projectId,
        after: { ...flag, tags },
      },
    ],
    events: [{ type: "flag.created", projectId, entityId, data: { flag } }],
    ruleChanges: ruleInEveryEnvironment(projectId, flag),
    onDuplicate: conflict("A flag with this key exists in the project"),
  });
  const created = await queries.findFlagByKey(ctx.db, projectId, key);
  if (!created) throw missing();
  return { flag: created, revisions };
}

/**
 * Changes a flag. Throws: 404 for an unknown flag or tag, 402 if the quota of tags is used up, 412
 * if `ifMatch` does not contain the current version.
 */
export function updateFlag(
  ctx: WriteContext,
  { id, ifMatch, ...change }: ByIdIfMatch & ChangeOf<FlagContent>,
): Promise<Written> {
  return changeFlag(ctx, { id, ifMatch }, (flag) => {
    const { name = flag.name, description = flag.description, tags } = change;
    const { projectId, key } = flag;
    const now = ctx.now();
    return {
      guards: tagGuards(projectId, tags ?? []),
      statements: [
        queries.updateFlag(id, { name, description, updatedAt: now }),
        ...(tags ? [detachTags(id), ...attachTags(flag, tags, now)] : []),
      ],
      ...auditAndEvent("flag.updated", flag, {
        before: { name: flag.name, description: flag.description, tags: flag.tags },
        after: { name, description, tags: tags ?? flag.tags },
      }),
      // Only a new name changes the rules: SDKs fetch the name of a flag, but neither its
      // description nor its tags.
      ...(name !== flag.name && { ruleChanges: ruleInEveryEnvironment(projectId, { key, name }) }),
    };
  });
}

/**
 * Archives or unarchives a flag. Writes nothing if the flag already has the wanted value of
 * `archived`.
 * Throws: 404 for an unknown id, 412 if `ifMatch` does not contain the current version.
 */
export function setArchived(
  ctx: WriteContext,
  { archived, ...target }: ByIdIfMatch & { readonly archived: boolean },
): Promise<Written> {
  return changeFlag(ctx, target, (flag) => {
    if (flag.archived === archived) return undefined;
    return {
      statements: [queries.updateFlag(flag.id, { archived, updatedAt: ctx.now() })],
      ...auditAndEvent(archived ? "flag.archived" : "flag.unarchived", flag, {
        before: { archived: flag.archived },
        after: { archived },
      }),
      ruleChanges: ruleInEveryEnvironment(flag.projectId, flag),
    };
  });
}

/**
 * Deletes an archived flag.
 * Throws: 404 for an unknown id, 409 if the flag is not archived, 412 if `ifMatch` does not contain
 * the current version.
 */
export async function deleteFlag(
  ctx: WriteContext,
  { id, ifMatch }: ByIdIfMatch,
): Promise<readonly Revision[]> {
  return optimisticUpdate({
    ifMatch,
    read: () => getFlag(ctx, { id }),
    write: (flag) => {
      if (!flag.archived)
        throw conflict("Only an archived flag can be deleted; archive the flag first");
      const { key, name, description, flagType } = flag;
      return ctx.commit({
        guards: [unchanged(flags, flag)],
        statements: [queries.deleteFlag(id)],
        ...auditAndEvent("flag.deleted", flag, { before: { key, name, description, flagType } }),
        ruleChanges: ruleInEveryEnvironment(flag.projectId, flag),
      });
    },
  });
}

/**
 * Commits the change that `decide` returns for the current flag, under an optimistic lock. If
 * `decide` returns undefined, nothing is written.
 */
async function changeFlag(
  ctx: WriteContext,
  { id, ifMatch }: ByIdIfMatch,
  decide: (flag: FlagRow) => Change | undefined,
): Promise<Written> {
  const read = () => getFlag(ctx, { id });
  const revisions = await optimisticUpdate({
    ifMatch,
    read,
    write: async (flag) => {
      const change = decide(flag);
      if (!change) return [];
      const guards = [unchanged(flags, flag), ...(change.guards ?? [])];
      return ctx.commit({ ...change, guards });
    },
  });
  return { flag: await read(), revisions };
}

/** Returns the audit entry and the webhook event for a change of a flag. */
function auditAndEvent(
  type: EventType,
  flag: FlagRow,
  content: { readonly before?: object; readonly after?: object },
): Pick<Change, "audit" | "events"> {
  const { id: entityId, projectId, key, name } = flag;
  return {
    audit: [{ action: type, entityType: "flag", entityId, projectId, ...content }],
    events: [{ type, projectId, entityId, data: { flag: { key, name, ...content.after } } }],
  };
}
