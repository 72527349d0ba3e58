import { conflict, type FieldError, invalid, notFound } from "../../core/errors/api-error.ts";
import { cycleErrors, type FlagPrerequisite } from "../../core/flags/prerequisites.ts";
import { prerequisiteErrors, valueErrors } from "../../core/flags/validate.ts";
import type { FlagValues, ValueType } from "../../core/flags/variants.ts";
import { isSame } from "../../core/audit/changed-fields.ts";
import type { Change, Revision, SingleChange } from "../../db/commit.ts";
import { ruleInEveryEnvironment } from "../../db/rule-changes.ts";
import { type FlagType, flags } from "../../db/schema/projects.ts";
import type { ReadContext, WriteContext } from "../context.ts";
import type { ById, ByIdIfMatch, ChangeOf } from "../input.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { projectExists } from "../projects/queries.ts";
import { assertInScope } from "../scope.ts";
import { archivedOrNot, auditAndEvent, contentOf } from "./changes.ts";
import * as queries from "./queries.ts";
import type { FlagRow, FlagWithTags } from "./queries.ts";
import {
  deletePrerequisites,
  findRequirements,
  insertPrerequisites,
  notRequired,
  notRequiredByActive,
  prerequisiteGuards,
  requiresNoArchived,
} from "./prerequisite-queries.ts";
import { deleteOwners, insertOwners } from "./owner-queries.ts";
import { removalGuards, sizeGuards } from "./variant-queries.ts";
import {
  changedValues,
  newValues,
  ruleContent,
  storedValues,
  valuesOf,
  variantBytes,
} from "./values.ts";
import { attachTags, detachTags, replacedTags, type TagInput, tagGuards } from "./tag-queries.ts";

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
  readonly prerequisites: readonly FlagPrerequisite[];
  readonly ownerIds: readonly number[];
}

/** The fields of a flag that a caller can change. */
export type FlagChange = ChangeOf<FlagContent & Omit<FlagValues, "valueType">>;

export interface NewFlag extends FlagChange {
  readonly key: string;
  readonly name: string;
  readonly flagType: FlagType;
  readonly tags: readonly TagInput[];
  readonly projectId: number;
  readonly valueType?: ValueType | undefined;
  /** Default: false. */
  readonly archived?: boolean;
}

/**
 * The error for an unknown owner: the only foreign key that a creation or an update of a flag can
 * violate.
 */
const unknownOwner = notFound("One of the owners does not exist");

const missing = () => notFound("The flag does not exist");

/** Returns a flag. Throws: 404 for an unknown id, 403 for an API key of another project. */
export async function getFlag({ db, actor }: ReadContext, { id }: ById): Promise<FlagWithTags> {
  const flag = await queries.findFlag(db, id);
  if (!flag) throw missing();
  assertInScope(actor, flag.projectId);
  return flag;
}

/**
 * Creates a flag. Throws: 400 for values or prerequisites that are not allowed, and for variants
 * with which the rules of an environment would become too large; 404 for an unknown
 * project or tag, 409 if the key is in use, 402 if the quota of flags or tags is used up.
 */
export async function createFlag(ctx: WriteContext, input: NewFlag): Promise<Written> {
  const revisions = await ctx.commit(creation(input, ctx.now()));
  return { flag: await createdFlag(ctx, input), revisions };
}

/** Returns the change that creates a flag. Throws: 400. */
export function creation(input: NewFlag, now: number): SingleChange {
  const { key, name, description = null, flagType, tags, projectId, archived = false } = input;
  const { prerequisites = [], ownerIds = [] } = input;
  const values = newValues(input);
  assertValid([...valueErrors(values), ...prerequisiteErrors(key, prerequisites)]);
  const flag = { key, name, description, flagType, ...values, prerequisites, ownerIds };
  const entityId = queries.flagIdByKey(projectId, key);
  return {
    guards: [
      { holds: projectExists(projectId), error: notFound("The project does not exist") },
      { quota: "FLAGS", count: queries.countFlags(projectId) },
      ...tagGuards(projectId, tags),
      ...prerequisiteGuards({ projectId, key }, prerequisites),
      ...sizeGuards(projectId, variantBytes(values)),
    ],
    statements: [
      queries.insertFlag({
        ...storedValues(values),
        key,
        name,
        description,
        flagType,
        archived,
        projectId,
        createdAt: now,
        updatedAt: now,
      }),
      ...attachTags({ projectId, key }, tags, now),
      ...insertPrerequisites({ projectId, key }, prerequisites),
      ...insertOwners({ projectId, key }, ownerIds),
    ],
    audit: [
      {
        action: "flag.created",
        entityType: "flag",
        entityId,
        projectId,
        after: { ...flag, tags, ...(archived && { archived }) },
      },
    ],
    events: [{ type: "flag.created", projectId, entityId, data: { flag } }],
    ruleChanges: ruleInEveryEnvironment(projectId, flag),
    onDuplicate: conflict("A flag with this key exists in the project"),
    onForeignKey: unknownOwner,
  };
}

/** Returns a flag that has just been created. */
export async function createdFlag(
  { db }: ReadContext,
  { projectId, key }: Pick<NewFlag, "projectId" | "key">,
): Promise<FlagRow> {
  const created = await queries.findFlagByKey(db, projectId, key);
  if (!created) throw missing();
  return created;
}

/**
 * Changes a flag. Throws: 400 for values or prerequisites that are not allowed, and for variants
 * with which the rules of an environment would become too large; 404 for an unknown flag or tag, 402 if the quota of tags is used up, 409 if a removed variant is in use, 412 if
 * `ifMatch` does not contain the current version.
 */
export function updateFlag(
  ctx: WriteContext,
  { id, ifMatch, ...change }: ByIdIfMatch & FlagChange,
): Promise<Written> {
  return changeFlag(ctx, { id, ifMatch }, (flag) => update(ctx, flag, change));
}

/** Returns the change that changes a flag. Throws: 400. */
export async function update(
  { db, now }: WriteContext,
  flag: FlagWithTags,
  change: FlagChange,
): Promise<SingleChange> {
  const { name = flag.name, description = flag.description, tags } = change;
  const { prerequisites = flag.prerequisites, ownerIds = flag.ownerIds } = change;
  const { id, projectId, key } = flag;
  const values = changedValues(flag, change);
  const hasNewValues = !isSame(values, valuesOf(flag));
  const hasNewPrerequisites = !isSame(prerequisites, flag.prerequisites);
  assertValid([
    ...(hasNewValues ? valueErrors(values) : []),
    ...(hasNewPrerequisites ? prerequisiteErrors(key, prerequisites) : []),
  ]);
  if (hasNewPrerequisites && prerequisites.length > 0)
    assertValid(cycleErrors(key, prerequisites, await findRequirements(db, projectId)));
  const replaced = tags && replacedTags(flag.attachedTags, tags);
  const before = contentOf(flag);
  const after = { name, ...values, prerequisites, ownerIds };
  return {
    guards: [
      ...tagGuards(projectId, tags ?? []),
      ...removalGuards(id, flag.variants, values.variants),
      ...(hasNewPrerequisites ? prerequisiteGuards(flag, prerequisites) : []),
      ...sizeGuards(projectId, variantBytes(values) - variantBytes(valuesOf(flag))),
    ],
    statements: [
      queries.updateFlag(id, { name, description, ...storedValues(values), updatedAt: now() }),
      ...(tags ? [detachTags(id), ...attachTags(flag, tags, now())] : []),
      ...(hasNewPrerequisites
        ? [deletePrerequisites(id), ...insertPrerequisites(flag, prerequisites)]
        : []),
      ...(isSame(ownerIds, flag.ownerIds)
        ? []
        : [deleteOwners(id), ...insertOwners(flag, ownerIds)]),
    ],
    ...auditAndEvent("flag.updated", flag, {
      before: { ...before, description: flag.description, tags: replaced?.before },
      after: { ...after, description, tags: replaced?.after },
      event: { ...after, description, tags: tags ?? flag.tags },
    }),
    ...(!isSame(ruleContent(before), ruleContent(after)) && {
      ruleChanges: ruleInEveryEnvironment(projectId, { key, name }),
    }),
    onForeignKey: unknownOwner,
  };
}

/**
 * Archives or unarchives a flag. Throws: 404 for an unknown id, 409 if a flag that is not archived
 * would require an archived flag, 412 if `ifMatch` does not contain the current version.
 */
export function setArchived(
  ctx: WriteContext,
  { archived, ...target }: ByIdIfMatch & { readonly archived: boolean },
): Promise<Written> {
  return changeFlag(ctx, target, (flag) => archiving(flag, archived, ctx.now()));
}

/** Returns the change that archives or unarchives a flag. */
export const archiving = (flag: FlagRow, archived: boolean, now: number): SingleChange => ({
  guards: [archived ? notRequiredByActive(flag.id) : requiresNoArchived(flag.id, "unarchived")],
  statements: [queries.updateFlag(flag.id, { archived, updatedAt: now })],
  ...archivedOrNot(flag, archived),
  ruleChanges: ruleInEveryEnvironment(flag.projectId, flag),
});

/**
 * Deletes an archived flag.
 * Throws: 404 for an unknown id, 409 if the flag is not archived or another flag requires it, 412 if
 * `ifMatch` does not contain the current version.
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
      const { key, name, description, flagType, prerequisites, ownerIds } = flag;
      const { before: tags } = replacedTags(flag.attachedTags, []);
      return ctx.commit({
        guards: [unchanged(flags, flag), notRequired(id)],
        statements: [queries.deleteFlag(id)],
        ...auditAndEvent("flag.deleted", flag, {
          before: {
            key,
            name,
            description,
            flagType,
            ...valuesOf(flag),
            prerequisites,
            tags,
            ownerIds,
          },
        }),
        ruleChanges: ruleInEveryEnvironment(flag.projectId, flag),
      });
    },
  });
}

/** Throws: 400 if there are field errors. */
function assertValid(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(errors);
}

/** Commits the change that `decide` returns for the current flag, under an optimistic lock. */
async function changeFlag(
  ctx: WriteContext,
  { id, ifMatch }: ByIdIfMatch,
  decide: (flag: FlagWithTags) => Change | Promise<Change>,
): Promise<Written> {
  const read = () => getFlag(ctx, { id });
  const revisions = await optimisticUpdate({
    ifMatch,
    read,
    write: async (flag) => {
      const change = await decide(flag);
      const guards = [unchanged(flags, flag), ...(change.guards ?? [])];
      return ctx.commit({ ...change, guards });
    },
  });
  return { flag: await read(), revisions };
}
