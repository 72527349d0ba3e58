import { type Pausing, withoutPauses } from "@feature-flags/evaluation/pausing";
import * as z from "zod/mini";
import { MAPS } from "./diff.ts";
import { type FlagsFile, SCHEMAS } from "./file.ts";
import { isObject } from "./json.ts";
import { MAX_NAME } from "./nearest.ts";
import { counted, expectedBy, MAX_ALL_ITEMS, MAX_FAULTS, messageOf } from "./parts.ts";
import { pointer } from "./pointer.ts";
import type { Kind, Schema } from "./schema.ts";

/** What is wrong with a file, and where. */
export interface Fault {
  /** The JSON Pointer of the place. */
  readonly path: string;
  /** Says what the value must be, such as "must be a number". */
  readonly message: string;
}

type Checked = { readonly file: FlagsFile } | { readonly faults: readonly Fault[] };
type Place = readonly PropertyKey[];
type Objects = Readonly<Record<string, unknown>>;

/** The schemas by which a file is checked. */
interface Schemas extends Readonly<Record<Kind | "file", Schema>> {
  /** The schemas of the names in the maps of the file, which can change a name. */
  readonly names?: Readonly<Record<keyof typeof MAPS, Schema>>;
}

/**
 * Returns the file, or what is wrong with it: unknown fields, wrong types, and splits that do not
 * add up. Limits such as the length of a name belong to the service, which checks them, too.
 */
export const checkFile = (value: unknown): Checked => withoutPauses(checkSteps(value));

/** Returns the JSON Pointer of a place, with names cut that are too long for an error. */
export const shortPointer = (place: Place): string =>
  pointer(
    ...place.map((name) => {
      const text = String(name);
      return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
    }),
  );

/** Does the same as `checkFile` in a step for each resource, and by other schemas. */
export const checkSteps = (value: unknown, schemas: Schemas = SCHEMAS): Pausing<Checked> =>
  new Check(schemas).file(value);

/** A check of one file. */
class Check {
  readonly #schemas: Schemas;
  readonly #faults: Fault[] = [];

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  *file(value: unknown): Pausing<Checked> {
    const given = isObject(value) ? value : {};
    const maps = Object.entries(MAPS).filter(([, map]) => isObject(given[map]));
    const empty = Object.fromEntries(maps.map(([, map]) => [map, {}]));
    const file = this.#parsed(
      [],
      this.#schemas.file,
      maps.length > 0 ? { ...given, ...empty } : value,
    );
    const checked: Record<string, unknown> = {};
    for (const [kind, map] of maps)
      checked[map] = yield* this.#resources(kind as keyof typeof MAPS, given[map] as Objects);
    return this.#faults.length > 0
      ? { faults: this.#faults }
      : { file: { ...(file as FlagsFile), ...checked } };
  }

  *#resources(kind: keyof typeof MAPS, resources: Objects): Pausing<Objects> {
    const checked = new Map<string, unknown>();
    for (const [key, one] of this.#entries([MAPS[kind]], resources)) {
      const place = [MAPS[kind], key];
      const { names = {} as never } = this.#schemas;
      const name = this.#schemas.names ? this.#parsed(place, names[kind], key) : key;
      if (checked.has(name as string)) this.#fault(place, "is the same name as an earlier one");
      const strategies = kind === "flag" && isObject(one) ? one["environments"] : undefined;
      // The strategies of a flag are checked after it, in steps of their own.
      const alone = isObject(strategies) ? { ...(one as Objects), environments: {} } : one;
      yield alone;
      const resource = this.#parsed(place, this.#schemas[kind], alone);
      checked.set(name as string, resource);
      if (!isObject(strategies)) continue;
      const environments: [string, unknown][] = [];
      for (const [environment, strategy] of this.#entries([...place, "environments"], strategies)) {
        yield strategy;
        const at = [...place, "environments", environment];
        environments.push([environment, this.#parsed(at, this.#schemas.strategy, strategy)]);
      }
      if (isObject(resource))
        Object.assign(resource, { environments: Object.fromEntries(environments) });
    }
    return Object.fromEntries(checked);
  }

  /** Returns the entries of a map, until there are enough faults. */
  *#entries(place: Place, map: Objects): Generator<[string, unknown]> {
    if (Object.keys(map).length > MAX_ALL_ITEMS)
      this.#fault(place, `must have at most ${MAX_ALL_ITEMS} entries`);
    else
      for (const entry of Object.entries(map))
        if (entry[1] !== undefined && this.#faults.length < MAX_FAULTS) yield entry;
  }

  /** Returns what a schema makes of a value; undefined if it refuses the value. */
  #parsed(place: Place, schema: Schema, value: unknown): unknown {
    Object.assign(counted, { items: 0, faults: 0 });
    const { data, error } = z.safeParse(schema, value, { error: messageOf });
    for (const issue of error?.issues ?? []) this.#issue(place, issue, value);
    return data;
  }

  /** Adds the faults of an issue. */
  #issue(above: Place, issue: z.core.$ZodIssue, value: unknown): void {
    const [path, at] = pathIn(value, issue.path);
    const place = [...above, ...path];
    if (issue.code === "unrecognized_keys") {
      const messages = issue.message.split("\n");
      for (const [n, message] of messages.entries())
        this.#fault([...place, issue.keys[n] ?? ""], message);
      return;
    }
    // The alternatives of a value have different types, so at most one has the type of the value.
    const fitting =
      issue.code === "invalid_union" && issue.errors.find(([first]) => !expectedBy(first));
    if (!fitting) return this.#fault(place, issue.message);
    for (const inner of fitting) this.#issue(place, inner, at);
  }

  #fault(place: Place, message: string): void {
    if (message !== "" && this.#faults.length < MAX_FAULTS)
      this.#faults.push({ path: shortPointer(place), message });
  }
}

/** Returns the part of a path that a value has, and what is there: a schema can see a text as an object. */
function pathIn(value: unknown, path: Place): [path: PropertyKey[], at: unknown] {
  const place: PropertyKey[] = [];
  let at = value;
  for (const part of path) {
    if (typeof at !== "object" || at === null) break;
    place.push(part);
    at = (at as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return [place, at];
}
