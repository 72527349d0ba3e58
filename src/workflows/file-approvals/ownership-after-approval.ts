import { defaultOf } from "@feature-flags/file/defaults";
import { type NamedResource, resourcesOf } from "@feature-flags/file/diff";
import type { Kind } from "@feature-flags/file/schema";
import { NO_ENVIRONMENT } from "../../db/schema/files.ts";
import { inTurns } from "../../core/lib/turns.ts";
import type { ReadDb } from "../../db/database.ts";
import { strategyKey } from "../../changes/plan/state.ts";
import type { Work } from "../../changes/plan/work.ts";
import type { PlannedFields } from "../../model/change-requests/file-plan-queries.ts";
import { Digests } from "../files/field-digests.ts";
import { Ids } from "../files/rows.ts";
import {
  type ChangedOwnership,
  changedRows,
  keyOf,
  rowKey,
  withOneOwner,
} from "../files/ownership.ts";
import { findOwnership, type Ownership } from "../../model/files/ownership-queries.ts";
import { ARCHIVED } from "../files/archive-missing.ts";
import {
  findContent,
  findSegmentNames,
  type FlagOfFile,
  type ProjectContent,
} from "../../model/files/queries.ts";
import { completeFile, namesOf } from "../files/to-file.ts";

/** A plan of a file whose operations a change request has, in part or changed. */
interface Approved {
  readonly projectId: number;
  readonly manager: string;
  /** What the plan would change in the ownership. */
  readonly planned: readonly PlannedFields[];
  /** What the operations of the request make. */
  readonly work: Work;
}

interface Settled {
  readonly ownership: Ownership;
  readonly changed: ChangedOwnership;
  /** The flags of the planned rows. */
  readonly flags: readonly FlagOfFile[];
}

/**
 * Returns what a file owns after a change request for its plan. People can have edited the request, and
 * the project can have changed since the plan, so the file owns a field only if the project then has the
 * planned value. It releases a field only if no other apply has changed the recorded value, and takes
 * from other managers only what the plan took.
 */
export async function settle(
  db: ReadDb,
  { projectId, manager, planned, work }: Approved,
): Promise<Settled> {
  const ownership = await findOwnership(db, projectId);
  const idsOf = (...kinds: readonly Kind[]) => [
    ...new Set(planned.flatMap(({ kind, entityId }) => (kinds.includes(kind) ? entityId : []))),
  ];
  const only = {
    flags: idsOf("flag", "strategy"),
    segments: idsOf("segment"),
    contexts: idsOf("context"),
  };
  // Only the names inside of the project are compared.
  const content = await findContent(db, { projectId, name: "" }, only);
  const segments = await findSegmentNames(db, projectId);
  const after = await resourcesAfter({ content, segments }, planned, work);
  const isAsPlanned = archivedAsPlanned(planned, work);
  const rows = new Map(ownership.rows.map((row) => [rowKey(row), row]));
  const others = Map.groupBy(
    ownership.rows.filter((row) => row.manager !== manager),
    keyOf,
  );
  const digests = new Digests();
  for (const one of planned) {
    const resource = after.get(keyOf(one));
    if (resource?.key !== one.fileKey || !isAsPlanned(one)) continue;
    const { kind, entityId, environmentId, fileKey } = one;
    const key = rowKey({ ...one, manager, fields: {} });
    const fields = new Map(Object.entries(rows.get(key)?.fields ?? {}));
    for (const [field, digest] of Object.entries(one.released))
      if (fields.get(field) === digest) fields.delete(field);
    const isOthers = (field: string) =>
      !one.taken.includes(field) &&
      others.get(keyOf(one))?.some((row) => row.fields[field] !== undefined);
    for (const [field, digest] of Object.entries(one.owned))
      if (
        field === ARCHIVED ||
        (!isOthers(field) &&
          digest === (await digests.of(resource, field, valueIn(resource, field))))
      )
        fields.set(field, digest);
    // A flag without fields is managed, too, so that a prune finds it.
    const lost = rows.has(key) ? one.released : one.owned;
    const isKept = fields.size > 0 || Object.keys(lost).length === 0;
    if (!isKept && !(kind === "flag" && rows.has(key))) rows.delete(key);
    else
      rows.set(key, {
        kind,
        entityId,
        environmentId,
        manager,
        fileKey,
        fields: Object.fromEntries(fields),
      });
  }
  return {
    ownership,
    changed: await inTurns(changedRows(ownership.rows, withOneOwner(rows, manager))),
    flags: content.flags,
  };
}

/**
 * Returns whether the request archives or unarchives the flag of a row as the plan does. If it does not,
 * the flag with its strategies stays as it is.
 */
function archivedAsPlanned(
  planned: readonly PlannedFields[],
  { flags, initial }: Work,
): (row: PlannedFields) => boolean {
  const wanted = new Map(
    planned.flatMap(({ kind, entityId, owned, released }): [number, boolean][] =>
      kind === "flag" && (owned[ARCHIVED] !== undefined || released[ARCHIVED] !== undefined)
        ? [[entityId, owned[ARCHIVED] !== undefined]]
        : [],
    ),
  );
  return ({ kind, entityId }) => {
    const archived = kind === "flag" || kind === "strategy" ? wanted.get(entityId) : undefined;
    if (archived === undefined) return true;
    const [before, after] = [initial.flags.get(entityId), flags.get(entityId)];
    return before?.archived === !archived && after?.archived === archived;
  };
}

interface Found {
  /** What the planned rows are about. */
  readonly content: ProjectContent;
  /** The names of all segments. */
  readonly segments: readonly { readonly id: number; readonly name: string }[];
}

/** Returns the resources of planned rows as a file has them after operations, by `keyOf`. */
async function resourcesAfter(
  { content, segments }: Found,
  planned: readonly PlannedFields[],
  work: Work,
): Promise<ReadonlyMap<string, NamedResource>> {
  const flagIds = new Set(content.flags.map(({ id }) => id));
  const strategies = new Map(
    [...content.strategies, ...work.strategies.values()].map((row) => [
      strategyKey(row.flagId, row.environmentId),
      row,
    ]),
  );
  const changed = {
    ...content,
    flags: content.flags.map((flag) => work.flags.get(flag.id) ?? flag),
    segments: content.segments.map((segment) => work.segments.get(segment.id) ?? segment),
    strategies: [...strategies.values()].filter(({ flagId }) => flagIds.has(flagId)),
  };
  const named = segments.map((segment) => work.segments.get(segment.id) ?? segment);
  const names = namesOf({ segments: named, tags: content.tags });
  const file = await inTurns(completeFile(changed, names));
  const ids = new Ids(changed, []);
  const resources = new Map(
    resourcesOf(file, file).flatMap((resource) => {
      const { kind } = resource;
      const [entityId, environmentId] = [ids.of(resource), ids.environment(resource)];
      return entityId === undefined
        ? []
        : [[keyOf({ kind, entityId, environmentId }), resource] as const];
    }),
  );
  // A strategy that nobody has set has its defaults.
  const existing = new Set(content.environments.map(({ id }) => id));
  for (const row of planned) {
    const { kind, entityId, environmentId } = row;
    const flag = resources.get(keyOf({ kind: "flag", entityId, environmentId: NO_ENVIRONMENT }));
    if (kind === "strategy" && flag && existing.has(environmentId) && !resources.has(keyOf(row)))
      resources.set(keyOf(row), { ...flag, kind, wanted: {}, current: {} });
  }
  return resources;
}

/** Returns the value that a field of a complete resource has. */
function valueIn(resource: NamedResource, field: string): unknown {
  const { [field]: value } = resource.wanted as Readonly<Record<string, unknown>>;
  return value === undefined ? defaultOf(resource, field) : value;
}
