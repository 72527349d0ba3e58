import { type FieldPlace, MAPS, namedFields } from "@feature-flags/file/diff";
import type { FlagsFile } from "@feature-flags/file/file";
import { own } from "@feature-flags/file/resolve";
import type { Pausing } from "@feature-flags/evaluation/pausing";
import type { ManagedRow } from "../../model/files/ownership-queries.ts";
import { ARCHIVED } from "./archive-missing.ts";
import type { ProjectContent } from "../../model/files/queries.ts";

interface Known {
  readonly content: ProjectContent;
  /** The rows of the manager. */
  readonly mine: readonly ManagedRow[];
  readonly environments: readonly string[] | undefined;
}

/**
 * Returns the fields that a file has owned and does not name any more. A flag that the file lacks as a
 * whole stays managed, so that a later prune finds it.
 */
export function* releasedFields(
  file: FlagsFile,
  { content, mine, environments }: Known,
): Pausing<FieldPlace[]> {
  const existing = idsOf(content);
  const names = new Map(content.environments.map(({ id, name }) => [id, name]));
  const released = (row: ManagedRow): FieldPlace[] => {
    const { kind, entityId, environmentId, fileKey: key, fields } = row;
    const environment = kind === "strategy" ? names.get(environmentId) : undefined;
    if (!existing.has(`${kind === "strategy" ? "flag" : kind} ${entityId}`)) return [];
    if (
      kind === "strategy" &&
      (environment === undefined || environments?.includes(environment) === false)
    )
      return [];
    const resource = resourceIn(file, { kind, key, environment });
    if (resource === "kept") return [];
    const kept = new Set(resource ? namedFields(kind, resource) : []);
    return Object.keys(fields).flatMap((field) =>
      kept.has(field) || field === ARCHIVED ? [] : { kind, key, environment, field },
    );
  };
  const places: FieldPlace[] = [];
  for (const row of mine) {
    yield;
    places.push(...released(row));
  }
  return places;
}

/** Returns a resource of the file; "kept" for a flag or strategy whose flag the file lacks. */
function resourceIn(
  file: FlagsFile,
  { kind, key, environment }: FieldPlace,
): object | undefined | "kept" {
  if (kind !== "flag" && kind !== "strategy") {
    const map: Readonly<Record<string, object>> | undefined = file[MAPS[kind]];
    return own(map, key);
  }
  const flag = own(file.flags, key);
  if (!flag) return "kept";
  return kind === "flag" ? flag : own(flag.environments, environment ?? "");
}

const idsOf = ({ flags, segments, tags, contexts }: ProjectContent): ReadonlySet<string> =>
  new Set([
    ...flags.map(({ id }) => `flag ${id}`),
    ...segments.map(({ id }) => `segment ${id}`),
    ...tags.map(({ id }) => `tag ${id}`),
    ...contexts.map(({ id }) => `context ${id}`),
  ]);
