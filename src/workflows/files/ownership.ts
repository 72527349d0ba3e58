import { type NamedResource, namedFields } from "@feature-flags/file/diff";
import { own } from "@feature-flags/file/resolve";
import type { Pausing } from "@feature-flags/evaluation/pausing";
import { type Actor, tokenOf } from "@feature-flags/permissions/permissions";
import { NO_ENVIRONMENT } from "../../db/schema/files.ts";
import { isSame } from "../../core/audit/changed-fields.ts";
import { Turns } from "../../core/lib/turns.ts";
import type { Work } from "../../changes/plan/work.ts";
import { outsideEnvironments } from "../../access/scope.ts";
import type { Compared, Draft } from "./differences.ts";
import { resourceKey } from "./rows.ts";
import type { ManagedRow } from "../../model/files/ownership-queries.ts";
import { ARCHIVED } from "./archive-missing.ts";
import type { ProjectContent } from "../../model/files/queries.ts";

/** A resource that a file names, with the digests of the values that it applies. */
export interface OwnedResource {
  readonly resource: NamedResource;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Returns the digests of all values that a draft applies, also of those that are there already; none if
 * the file manages nothing.
 */
export async function ownedResources({
  draft: { manager, resources },
  digests,
}: Compared): Promise<OwnedResource[]> {
  if (manager === null) return [];
  const turns = new Turns();
  const owned: OwnedResource[] = [];
  for (const resource of resources) {
    // The strategies of a flag are resources of their own.
    await turns.next({ ...resource.wanted, environments: undefined });
    const values = resource.wanted as Readonly<Record<string, unknown>>;
    const fields: Record<string, string> = {};
    for (const field of namedFields(resource.kind, resource.wanted))
      fields[field] = await digests.of(resource, field, values[field]);
    owned.push({ resource, fields });
  }
  return owned;
}

/**
 * Returns the rows of ownership that an apply deletes and inserts; none if the file manages nothing.
 * `owned`: as `ownedResources` returns them. `work`: what the operations make; undefined without operations. The file owns what it names, and
 * releases what it does not name any more. It takes the fields of other managers that it was told to
 * overwrite.
 */
export function* changedOwnership(
  { content, ownership, request, draft, ids }: Compared,
  owned: readonly OwnedResource[],
  work: Work | undefined,
): Pausing<ChangedOwnership> {
  const { manager } = draft;
  if (manager === null) return { deleted: [], inserted: [] };
  const after = new Map<string, ManagedRow>();
  const put = (row: ManagedRow) => after.set(rowKey(row), row);
  const keeps = keepsRow(content, draft, request.environments);
  for (const row of ownership.rows) if (row.manager !== manager || keeps(row)) put(row);
  for (const { resource, fields } of owned) {
    yield;
    const entityId = ids.of(resource) ?? newId(work, resource);
    const { kind, key: fileKey } = resource;
    if (kind === "strategy" && Object.keys(fields).length === 0) continue;
    put({ kind, entityId, environmentId: ids.environment(resource), manager, fileKey, fields });
  }
  for (const { id, key } of draft.archived)
    put({
      kind: "flag",
      entityId: id,
      environmentId: NO_ENVIRONMENT,
      manager,
      fileKey: key,
      fields: PRUNED,
    });
  return yield* changedRows(ownership.rows, withOneOwner(after, manager));
}

/** The rows of ownership that a change deletes, and those that it inserts. */
export interface ChangedOwnership {
  readonly deleted: readonly ManagedRow[];
  readonly inserted: readonly ManagedRow[];
}

/** Returns what differs between rows and the rows after a change, by `rowKey`. */
export function* changedRows(
  rows: readonly ManagedRow[],
  after: ReadonlyMap<string, ManagedRow>,
): Pausing<ChangedOwnership> {
  const before = new Map(rows.map((row) => [rowKey(row), row]));
  const isKept = (row: ManagedRow, other: ManagedRow | undefined) =>
    other !== undefined && row.fileKey === other.fileKey && isSame(row.fields, other.fields);
  const deleted: ManagedRow[] = [];
  const inserted: ManagedRow[] = [];
  for (const [key, row] of before) {
    yield;
    if (!isKept(row, after.get(key))) deleted.push(row);
  }
  for (const [key, row] of after) {
    yield;
    if (!isKept(row, before.get(key))) inserted.push(pure(row));
  }
  return { deleted, inserted };
}

/** Returns rows, by `rowKey`, in which no other manager has a field that the manager has. */
export function withOneOwner(
  rows: ReadonlyMap<string, ManagedRow>,
  manager: string,
): ReadonlyMap<string, ManagedRow> {
  const mine = new Map(
    [...rows.values()].flatMap((row) => (row.manager === manager ? [[keyOf(row), row]] : [])),
  );
  return new Map(
    Array.from(rows, ([key, row]) => {
      const fields = mine.get(keyOf(row))?.fields;
      if (row.manager === manager || !fields) return [key, row];
      const left = Object.entries(row.fields).filter(([field]) => !Object.hasOwn(fields, field));
      return [key, { ...row, fields: Object.fromEntries(left) }];
    }),
  );
}

const PRUNED = { [ARCHIVED]: "true" };

/** Returns the key of the resource of a row. */
export const keyOf = ({
  kind,
  entityId,
  environmentId,
}: Pick<ManagedRow, "kind" | "entityId" | "environmentId">): string =>
  resourceKey(kind, entityId, environmentId);

/** Returns the key of a row: its resource and its manager. */
export const rowKey = (row: ManagedRow): string => `${keyOf(row)} ${row.manager}`;

/**
 * Checks that a token that is limited to environments takes or releases only fields of strategies there
 * and of new flags. Throws: 403.
 */
export function assertMayOwn(
  actor: Actor,
  known: readonly { readonly id: number }[],
  { deleted, inserted }: ChangedOwnership,
): void {
  const environmentIds = tokenOf(actor)?.environmentIds;
  if (!environmentIds) return;
  const existing = new Set(known.map(({ id }) => id));
  const isAllowed = ({ kind, entityId, environmentId }: ManagedRow) =>
    kind === "strategy"
      ? environmentIds.includes(environmentId)
      : kind === "flag" && !existing.has(entityId);
  if (![...deleted, ...inserted].every(isAllowed)) throw outsideEnvironments();
}

/** Leaves out the columns that a row does not have as `ManagedRow`. */
const pure = ({
  kind,
  entityId,
  environmentId,
  manager,
  fileKey,
  fields,
}: ManagedRow): ManagedRow => ({
  kind,
  entityId,
  environmentId,
  manager,
  fileKey,
  fields,
});

/** Returns whether a row of the manager stays although the file does not name its resource now. */
function keepsRow(
  { flags, environments: all }: ProjectContent,
  { file, archived, held }: Draft,
  environments: readonly string[] | undefined,
): (row: ManagedRow) => boolean {
  const keys = new Map(flags.map(({ id, key }) => [id, key]));
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const gone = new Set(archived.map(({ id }) => id));
  return (row) => {
    const { kind, entityId, environmentId } = row;
    if (held.has(keyOf(row))) return true;
    if (kind !== "flag" && kind !== "strategy") return false;
    const key = keys.get(entityId);
    if (key === undefined || gone.has(entityId)) return false;
    if (!own(file.flags, key)) return true;
    const name = names.get(environmentId);
    return kind === "strategy" && name !== undefined && environments?.includes(name) === false;
  };
}

/** Returns the id of a resource that the operations have created. */
function newId(work: Work | undefined, { kind, key }: NamedResource): number {
  const row =
    kind === "context"
      ? work?.contexts.named(key)
      : kind === "tag"
        ? work?.tags.named(key)
        : kind === "segment"
          ? work?.segments.named(key)
          : work?.flags.of({ flagKey: key });
  if (!row) throw new Error(`The operations must create ${kind} ${key}`);
  return row.id;
}
