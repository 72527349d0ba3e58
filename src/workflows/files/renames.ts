import type { FlagsFile } from "@feature-flags/file/file";
import type { FileNames } from "./to-file.ts";
import type { ManagedRow } from "../../model/files/ownership-queries.ts";
import type { ProjectContent } from "../../model/files/queries.ts";

type Renamable = "segment" | "tag";

/** A segment or a tag that has another name in the file than in the project. */
export interface Rename {
  readonly kind: Renamable;
  readonly id: number;
  /** The name in the project. */
  readonly from: string;
  /** The name in the file. */
  readonly to: string;
  /** Whether somebody has renamed it in the project. Otherwise the file renames it. */
  readonly isElsewhere: boolean;
}

/** What a file calls the segments and tags of a project. */
export interface FoundNames {
  readonly names: FileNames;
  readonly renames: readonly Rename[];
}

/**
 * Finds the segments and tags that a file calls by other names than the project: those that the file
 * renames with `renamedFrom`, and those that were renamed since the file was applied. Returns the names
 * that the file uses.
 */
export function identify(
  file: FlagsFile,
  content: ProjectContent,
  managed: readonly ManagedRow[],
): FoundNames {
  const renames = [
    ...renamesOf("segment", file.segments ?? {}, { rows: content.segments, managed }),
    ...renamesOf("tag", file.tags ?? {}, { rows: content.tags, managed }),
  ];
  const namesOf = (kind: Renamable, rows: readonly Row[]) => {
    const renamed = new Map(
      renames.flatMap((one) => (one.kind === kind ? [[one.id, one.to]] : [])),
    );
    return new Map(rows.map(({ id, name }) => [id, renamed.get(id) ?? name]));
  };
  return {
    names: {
      segments: namesOf("segment", content.segments),
      tags: namesOf("tag", content.tags),
    },
    renames,
  };
}

interface Row {
  readonly id: number;
  readonly name: string;
}

interface Existing {
  readonly rows: readonly Row[];
  /** The rows of the manager of the file. */
  readonly managed: readonly ManagedRow[];
}

function renamesOf(
  kind: Renamable,
  named: Readonly<Record<string, { readonly renamedFrom?: string | undefined }>>,
  { rows, managed }: Existing,
): Rename[] {
  const byName = new Map(rows.map((row) => [row.name, row]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const managedIds = new Map(
    // The first row with a name counts.
    managed
      .toReversed()
      .flatMap((row) => (row.kind === kind ? [[row.fileKey, row.entityId] as const] : [])),
  );
  const managedAs = (name: string) => byId.get(managedIds.get(name) ?? 0);
  return Object.entries(named).flatMap(([to, { renamedFrom }]): Rename[] => {
    if (byName.has(to)) return [];
    const before =
      renamedFrom === undefined ? undefined : (byName.get(renamedFrom) ?? managedAs(renamedFrom));
    const row = before ?? managedAs(to);
    // A name that the file uses for another resource is no earlier name of this one.
    if (!row || Object.hasOwn(named, row.name)) return [];
    return [{ kind, id: row.id, from: row.name, to, isElsewhere: !before }];
  });
}
