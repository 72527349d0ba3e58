import { MAX_FAULTS } from "@feature-flags/file/parts";
import { pathOf } from "@feature-flags/file/diff";
import type { FileFlag, FileStrategy, FlagsFile } from "@feature-flags/file/file";
import { nearest } from "@feature-flags/file/nearest";
import { pointer } from "@feature-flags/file/pointer";
import { own } from "@feature-flags/file/resolve";
import type { Pausing } from "@feature-flags/evaluation/pausing";
import { conflict, type FieldError, invalid } from "../../core/errors/api-error.ts";
import { naming } from "../../core/errors/naming.ts";
import type { FlagOfFile, ProjectContent } from "../../model/files/queries.ts";

interface Asked {
  readonly file: FlagsFile;
  readonly environments?: readonly string[] | undefined;
}

interface Existing {
  readonly content: ProjectContent;
  /** The project as a file. */
  readonly current: FlagsFile;
  /** The archived flags that the file unarchives. */
  readonly restored: readonly FlagOfFile[];
}

/**
 * Checks the names in a file, and what it cannot change. Throws: 400 with the JSON Pointers of what is
 * wrong; 409 for an archived flag that the file switches on.
 */
export function* assertReferences(
  { file, environments = [] }: Asked,
  existing: Existing,
): Pausing<void> {
  const { content, current } = existing;
  const known = content.environments.map(({ name }) => name);
  const restored = new Set(existing.restored.map(({ id }) => id));
  const segments = new Set([
    ...Object.keys(current.segments ?? {}),
    ...Object.keys(file.segments ?? {}),
  ]);
  const isArchived = new Set(
    content.flags.flatMap((flag) => (flag.archived && !restored.has(flag.id) ? flag.key : [])),
  );
  const errors: FieldError[] = environments.flatMap((name, n) =>
    known.includes(name) ? [] : { field: `environments.${n}`, message: unknown(name, known) },
  );
  const switchedOn: string[] = [];
  if (file.project !== current.project)
    errors.push({
      field: "/project",
      message: `must be the name of the project, ${current.project}`,
    });
  for (const [key, flag] of Object.entries(file.flags ?? {})) {
    const before = own(current.flags, key);
    errors.push(...typeErrors(key, flag, before));
    if (errors.length >= MAX_FAULTS) break;
    for (const [name, strategy] of Object.entries(flag.environments ?? {})) {
      yield;
      const path = () => pathOf({ kind: "strategy", key, environment: name });
      if (!known.includes(name)) errors.push({ field: path(), message: unknown(name, known) });
      if (errors.length >= MAX_FAULTS) break;
      errors.push(...segmentErrors(path, strategy, segments));
      const wasOn = own(before?.environments, name)?.enabled === true;
      if (isArchived.has(key) && strategy.enabled === true && !wasOn) switchedOn.push(path());
    }
  }
  if (errors.length > 0) throw invalid(errors.slice(0, MAX_FAULTS));
  if (switchedOn.length > 0)
    throw conflict(
      naming("Archived flags cannot be switched on; unarchive them first", switchedOn),
    );
}

const unknown = (name: string, known: readonly string[]): string => {
  const near = nearest(name, known);
  return near === undefined
    ? "is not an environment of the project"
    : `is not an environment of the project; did you mean ${near}?`;
};

/** Returns the errors of a flag whose types differ, and of a new flag without a name. */
function typeErrors(key: string, flag: FileFlag, before: FileFlag | undefined): FieldError[] {
  const at = (field: string) => pathOf({ kind: "flag", key, field });
  if (!before)
    return flag.name === undefined
      ? [{ field: at("name"), message: "is required for a new flag" }]
      : [];
  const { flagType, valueType = "boolean" } = flag;
  return [
    ...(flagType === before.flagType
      ? []
      : [{ field: at("flagType"), message: `cannot be changed from ${before.flagType}` }]),
    ...(valueType === before.valueType
      ? []
      : [{ field: at("valueType"), message: `cannot be changed from ${before.valueType}` }]),
  ];
}

const segmentErrors = (
  path: () => string,
  { segments = [], rules = [] }: FileStrategy,
  known: ReadonlySet<string>,
): FieldError[] => {
  const errorsOf = (names: readonly string[], ...at: (string | number)[]) =>
    names.flatMap((name, n) =>
      known.has(name)
        ? []
        : {
            field: `${path()}${pointer(...at, "segments", n)}`,
            message: "is not a segment of the file or of the project",
          },
    );
  return [
    ...errorsOf(segments),
    ...rules.flatMap((rule, n) => errorsOf(rule.segments ?? [], "rules", n)),
  ];
};
