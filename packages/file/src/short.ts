import { comparable, defaultOf, type Owner, variantKeys } from "./defaults.ts";
import { type FieldPlace, MAPS, namedFields } from "./diff.ts";
import type { FileFlag, FileRule, FileServe, FileStrategy, FlagsFile } from "./file.ts";
import { isObject, isSame } from "./json.ts";
import { fieldsOf, partsOf, usualValue } from "./schema.ts";
import { shortSplit } from "./splits.ts";
import { withoutPauses, type Pausing } from "@feature-flags/evaluation/pausing";

export interface ShortOptions {
  /** Whether a field is written although it has its default, because the file owns it. */
  readonly isOwned: (place: FieldPlace) => boolean;
  /** The names of the fields that the file leaves to others. */
  readonly omit: ReadonlySet<string>;
  /** The `clients` that a new flag of the project gets, which is the default in its file. */
  readonly newFlagClients: FileFlag["clients"];
}

/**
 * Returns a file without the fields that have their defaults, and without slots that follow from the
 * weights. `file`: with all fields.
 */
export const shortFile = (file: FlagsFile, options: ShortOptions): FlagsFile =>
  withoutPauses(shortSteps(file, options));

/** Does the same as `shortFile` in steps. */
export function* shortSteps(file: FlagsFile, options: ShortOptions): Pausing<FlagsFile> {
  const maps = (["context", "tag", "segment"] as const).map((kind) => {
    const full = Object.entries<object>(file[MAPS[kind]] ?? {});
    const short = full.map(([key, one]) => [key, shortResource({ kind, key }, one, options)]);
    return [MAPS[kind], short] as const;
  });
  const flags: (readonly [string, FileFlag])[] = [];
  for (const [key, flag] of Object.entries(file.flags ?? {}))
    flags.push([key, yield* shortFlag(key, flag, options)]);
  const filled = [...maps, [MAPS.flag, flags] as const].filter(([, entries]) => entries.length > 0);
  return {
    version: 1,
    project: file.project,
    ...(file.manager !== undefined && { manager: file.manager }),
    ...Object.fromEntries(filled.map(([name, entries]) => [name, Object.fromEntries(entries)])),
  };
}

function* shortFlag(key: string, flag: FileFlag, options: ShortOptions): Pausing<FileFlag> {
  const { flagType, valueType = "boolean" } = flag;
  const environments: (readonly [string, FileStrategy])[] = [];
  for (const [environment, one] of Object.entries(flag.environments ?? {})) {
    yield one;
    const short = shortResource({ kind: "strategy", key, flag, environment }, one, options);
    if (Object.keys(short).length > 0) environments.push([environment, short]);
  }
  yield { ...flag, environments: undefined };
  return {
    ...shortResource({ kind: "flag", key, flag }, flag, options),
    flagType,
    ...(valueType !== "boolean" && { valueType }),
    ...(environments.length > 0 && { environments: Object.fromEntries(environments) }),
  };
}

type Place = Owner & Pick<FieldPlace, "environment">;

function shortResource<T extends object>(
  place: Place,
  full: T,
  { isOwned, omit, newFlagClients }: ShortOptions,
): Partial<T> {
  const values = full as Readonly<Record<string, unknown>>;
  const isUsual = (field: string) =>
    field === "clients" ? values[field] === newFlagClients : isDefault(place, field, values[field]);
  const fields = namedFields(place.kind, full).filter(
    (field) => !omit.has(field) && (!isUsual(field) || isOwned({ ...place, field })),
  );
  return Object.fromEntries(
    fields.map((field) => [field, shortValue(place, field, values[field])]),
  ) as Partial<T>;
}

/** Whether a value means the same as the default. */
function isDefault(owner: Owner, field: string, value: unknown): boolean {
  if (field === "variants") return (owner.flag?.valueType ?? "boolean") === "boolean";
  const usual = defaultOf(owner, field);
  return (
    usual !== undefined && isSame(comparable(owner, field, value), comparable(owner, field, usual))
  );
}

/** Returns a value without the defaults inside of it. */
function shortValue(owner: Owner, field: string, value: unknown): unknown {
  if (field === "serve") return shortSplit(value as FileServe, variantKeys(owner.flag));
  if (field === "rules")
    return (value as readonly FileRule[]).map((rule) => shortRule(owner, rule));
  const { items } = partsOf(fieldsOf(owner.kind)[field], value);
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    const { fields } = partsOf(items, item);
    if (!isObject(item) || !fields) return item;
    const parts = Object.entries(item);
    return Object.fromEntries(
      parts.filter(([name, part]) => !isSame(part, usualValue(fields[name]))),
    );
  });
}

function shortRule(owner: Owner, { id, name, ...rest }: FileRule): FileRule {
  const fields = Object.entries(rest).filter(([field, value]) => !isDefault(owner, field, value));
  return {
    ...(id !== undefined && { id }),
    ...(name !== null && name !== undefined && { name }),
    ...Object.fromEntries(fields.map(([field, value]) => [field, shortValue(owner, field, value)])),
  };
}
