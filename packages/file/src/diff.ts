import { comparable, defaultOf, type Owner } from "./defaults.ts";
import type { FileFlag, FlagsFile } from "./file.ts";
import { isSame } from "./json.ts";
import { pointer } from "./pointer.ts";
import { own } from "./resolve.ts";
import { fieldsOf, type Kind } from "./schema.ts";

/** The place of a resource or of one of its fields in the file. */
export interface FieldPlace {
  readonly kind: Kind;
  /** The name or key. For a strategy, that of its flag. */
  readonly key: string;
  /** The name of the environment of a strategy. */
  readonly environment?: string | undefined;
  /** Undefined: the whole resource. */
  readonly field?: string | undefined;
}

/** A field that a file names, or a whole resource that a project does not have. */
export interface Difference extends FieldPlace {
  /** The value before the change. Undefined for a new resource. */
  readonly before?: unknown;
  readonly after: unknown;
}

export const MAPS = {
  context: "contexts",
  tag: "tags",
  segment: "segments",
  flag: "flags",
} as const;

/** Returns the JSON Pointer of a place in the file. */
export function pathOf({ kind, key, environment, field }: FieldPlace): string {
  const resource =
    kind === "strategy" ? ["flags", key, "environments", environment ?? ""] : [MAPS[kind], key];
  return pointer(...resource, ...(field === undefined ? [] : [field]));
}

/** Returns the place of the resource of a field. */
export const resourceOf = ({ kind, key, environment }: FieldPlace): FieldPlace => ({
  kind,
  key,
  environment,
});

/** The fields that a file does not manage: they cannot be changed, or say how to find the resource. */
const UNMANAGED = new Set(["flagType", "valueType", "environments", "renamedFrom"]);

/** Returns the fields of a resource that a file names and manages. */
export const namedFields = (kind: Kind, resource: object): string[] =>
  Object.keys(fieldsOf(kind)).filter(
    (field) =>
      !UNMANAGED.has(field) && (resource as Readonly<Record<string, unknown>>)[field] !== undefined,
  );

/** A resource of a file, with the resource that the project has. */
export interface NamedResource extends Owner {
  readonly environment?: string | undefined;
  readonly wanted: object;
  /** Undefined: the project does not have the resource. */
  readonly current: object | undefined;
}

/** Returns all resources that a file names, in the order in which they can be created. */
export function resourcesOf(file: FlagsFile, current: FlagsFile): NamedResource[] {
  const simple: NamedResource[] = (["context", "tag", "segment"] as const).flatMap((kind) =>
    Object.entries<object>(file[MAPS[kind]] ?? {}).map(([key, wanted]) => ({
      kind,
      key,
      wanted,
      current: own<object>(current[MAPS[kind]], key),
    })),
  );
  return simple.concat(
    Object.entries(file.flags ?? {}).flatMap(([key, wanted]) =>
      resourcesOfFlag(key, wanted, own(current.flags, key)),
    ),
  );
}

/** Returns a flag and its strategies. */
function resourcesOfFlag(
  key: string,
  wanted: FileFlag,
  current: FileFlag | undefined,
): NamedResource[] {
  const flag = {
    valueType: wanted.valueType ?? current?.valueType,
    variants: wanted.variants ?? current?.variants,
  };
  const resources: NamedResource[] = [{ kind: "flag", key, flag, wanted, current }];
  for (const [environment, strategy] of Object.entries(wanted.environments ?? {})) {
    const before = current && (own(current.environments, environment) ?? {});
    resources.push({ kind: "strategy", key, flag, environment, wanted: strategy, current: before });
  }
  return resources;
}

/**
 * Returns what a file changes. `current`: the project as a file; a field that it lacks has its
 * default. `file`: as `resolveFile` returns it. A new flag is one difference with its strategies.
 */
export const differences = (file: FlagsFile, current: FlagsFile): Difference[] =>
  resourcesOf(file, current).flatMap(differencesOf);

/** Returns what a file changes of one resource. */
export function differencesOf(resource: NamedResource): Difference[] {
  const { kind, key, environment, wanted, current } = resource;
  const place = { kind, key, environment };
  if (!current) return kind === "strategy" ? [] : [{ ...place, after: wanted }];
  const [before, after] = [current, wanted] as Readonly<Record<string, unknown>>[];
  return namedFields(kind, wanted).flatMap((field): Difference[] => {
    const [now, is] = [before?.[field], after?.[field]];
    const was = now === undefined ? defaultOf(resource, field) : now;
    const isEqual =
      was === is || isSame(comparable(resource, field, was), comparable(resource, field, is));
    return isEqual ? [] : [{ ...place, field, before: was, after: is }];
  });
}
