import type { PlannedFields } from "../../model/change-requests/file-plan-queries.ts";
import { type ChangedOwnership, keyOf } from "../files/ownership.ts";
import type { ManagedRow } from "../../model/files/ownership-queries.ts";

/** Returns what an apply changes in the ownership of fields: a row for each resource. */
export function plannedFields(
  manager: string | null,
  { deleted, inserted }: ChangedOwnership,
): PlannedFields[] {
  const byResource = (rows: readonly ManagedRow[], isMine: boolean) =>
    Map.groupBy(
      rows.filter((row) => (row.manager === manager) === isMine),
      keyOf,
    );
  const [before, after] = [byResource(deleted, true), byResource(inserted, true)];
  const [othersBefore, othersAfter] = [byResource(deleted, false), byResource(inserted, false)];
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key): PlannedFields[] => {
    const [was] = before.get(key) ?? [];
    const [is] = after.get(key) ?? [];
    const row = is ?? was;
    if (!row) return [];
    const { kind, entityId, environmentId, fileKey } = row;
    const left = new Set(namesOf(othersAfter.get(key)));
    return [
      {
        kind,
        entityId,
        environmentId,
        fileKey,
        owned: without(is?.fields, (field, digest) => was?.fields[field] === digest),
        released: without(was?.fields, (field) => is?.fields[field] !== undefined),
        taken: namesOf(othersBefore.get(key)).filter((field) => !left.has(field)),
      },
    ];
  });
}

const namesOf = (rows: readonly ManagedRow[] = []): string[] =>
  rows.flatMap(({ fields }) => Object.keys(fields));

type Fields = ManagedRow["fields"];

const without = (
  fields: Fields = {},
  isLeftOut: (field: string, digest: string) => boolean,
): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name, one]) => !isLeftOut(name, one)));
