import { conflict, notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import type { Change, Revision } from "../../db/commit.ts";
import type { EventType } from "../../db/outbox.ts";
import { ruleInEveryEnvironment } from "../../db/rule-changes.ts";
import { type FlagType, flags } from "../../db/schema/projects.ts";
import type { ManagementDeps } from "../deps.ts";
import { projectExists } from "../projects/queries.ts";
import { optimisticUpdate, unchanged } from "../optimistic-update.ts";
import { assertInScope } from "../scope.ts";
import * as queries from "./queries.ts";
import type { FlagRow } from "./queries.ts";
import { type TagInput, tagGuards, tieTags, untieTags } from "./tag-queries.ts";

/** A flag as a write left it, and the environments whose rules it altered. */
export interface Written {
  readonly flag: FlagRow;
  readonly revisions: readonly Revision[];
}

const missing = () => notFound("The flag");

/** Errors: 404, 403 for a key of another project. */
export async function getFlag(deps: ManagementDeps, actor: Actor, id: number): Promise<FlagRow> {
  const flag = await queries.findFlag(deps.db, id);
  if (!flag) throw missing();
  assertInScope(actor, flag.projectId);
  return flag;
}

/** Errors: 404 for the project or a tag, 409 for a key in use, 402 over the quota. */
export async function createFlag(
  deps: ManagementDeps,
  actor: Actor,
  input: {
    readonly key: string;
    readonly name: string;
    readonly description?: string | null | undefined;
    readonly flagType: FlagType;
    readonly tags: readonly TagInput[];
    readonly projectId: number;
  },
): Promise<Written> {
  const { key, name, description = null, flagType, tags, projectId } = input;
  const now = deps.now();
  const flag = { key, name, description, flagType };
  const entityId = queries.flagIdByKey(projectId, key);
  const revisions = await deps.commit(actor, {
    guards: [
      { holds: projectExists(projectId), error: notFound("The project") },
      { quota: "FLAGS", count: queries.countFlags(projectId) },
      ...tagGuards(projectId, tags),
    ],
    statements: [
      queries.insertFlag({ ...flag, projectId, createdAt: now, updatedAt: now }),
      ...tieTags(projectId, key, tags, now),
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
  const created = await queries.findFlagByKey(deps.db, projectId, key);
  if (!created) throw missing();
  return { flag: created, revisions };
}

/** Errors: 404 for the flag or a tag, 402 for tags over the quota, 412. */
export function updateFlag(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  input: {
    readonly name?: string | undefined;
    readonly description?: string | null | undefined;
    readonly tags?: readonly TagInput[] | undefined;
  },
  ifMatch: readonly number[] | undefined,
): Promise<Written> {
  return reviseFlag(deps, actor, id, ifMatch, (flag) => {
    const { name = flag.name, description = flag.description, tags } = input;
    const { projectId, key } = flag;
    const now = deps.now();
    return {
      guards: tagGuards(projectId, tags ?? []),
      statements: [
        queries.updateFlag(id, { name, description, updatedAt: now }),
        ...(tags ? [untieTags(id), ...tieTags(projectId, key, tags, now)] : []),
      ],
      ...told("flag.updated", flag, {
        before: { name: flag.name, description: flag.description, tags: flag.tags },
        after: { name, description, tags: tags ?? flag.tags },
      }),
      // Only the name is part of the rule that SDKs fetch.
      ...(name !== flag.name && { ruleChanges: ruleInEveryEnvironment(projectId, { key, name }) }),
    };
  });
}

/** Archiving what is archived, or the opposite, changes nothing. Errors: 404, 412. */
export function setArchived(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  archived: boolean,
  ifMatch: readonly number[] | undefined,
): Promise<Written> {
  return reviseFlag(deps, actor, id, ifMatch, (flag) => {
    if (flag.archived === archived) return undefined;
    return {
      statements: [queries.updateFlag(id, { archived, updatedAt: deps.now() })],
      ...told(archived ? "flag.archived" : "flag.unarchived", flag, {
        before: { archived: flag.archived },
        after: { archived },
      }),
      ruleChanges: ruleInEveryEnvironment(flag.projectId, flag),
    };
  });
}

/** Errors: 404, 409 when it is not archived, 412. */
export async function deleteFlag(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  ifMatch: readonly number[] | undefined,
): Promise<readonly Revision[]> {
  const read = () => getFlag(deps, actor, id);
  return optimisticUpdate({
    ifMatch,
    read,
    write: (flag) => {
      if (!flag.archived) throw conflict("Only an archived flag can be deleted");
      const { key, name, description, flagType } = flag;
      return deps.commit(actor, {
        guards: [unchanged(flags, flag)],
        statements: [queries.deleteFlag(id)],
        ...told("flag.deleted", flag, { before: { key, name, description, flagType } }),
        ruleChanges: ruleInEveryEnvironment(flag.projectId, flag),
      });
    },
  });
}

async function reviseFlag(
  deps: ManagementDeps,
  actor: Actor,
  id: number,
  ifMatch: readonly number[] | undefined,
  change: (flag: FlagRow) => Change | undefined,
): Promise<Written> {
  const read = () => getFlag(deps, actor, id);
  const revisions = await optimisticUpdate({
    ifMatch,
    read,
    write: async (flag) => {
      const wanted = change(flag);
      if (!wanted) return [];
      const guards = [unchanged(flags, flag), ...(wanted.guards ?? [])];
      return deps.commit(actor, { ...wanted, guards });
    },
  });
  return { flag: await read(), revisions };
}

/** The audit record and the event of one change of a flag. */
function told(
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
