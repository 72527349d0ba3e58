import { type FlagsFile, SCHEMAS } from "./file.ts";
import { byCodePoint, isObject } from "./json.ts";
import { partsOf, type Schema } from "./schema.ts";
import { withoutPauses, type Pausing } from "@feature-flags/evaluation/pausing";

/**
 * Returns the entries of an object of the file in normal form: fields in the order of the schema,
 * and names of maps by code points. An object cannot keep that order if its keys look like numbers,
 * so code that writes a file writes these entries.
 */
function entriesOf(
  value: Readonly<Record<string, unknown>>,
  given: Schema | undefined,
): (readonly [name: string, part: unknown, schema: Schema | undefined])[] {
  const { fields, entries } = partsOf(given, value);
  const known = fields ? Object.keys(fields) : Object.keys(value);
  const names = known.filter((name) => value[name] !== undefined);
  if (entries) names.sort(byCodePoint);
  return names.map((name) => [name, value[name], fields?.[name] ?? entries]);
}

/** A value of the file in normal form, with maps whose entries are in order. */
export type Normal =
  | ReadonlyMap<string, Normal>
  | readonly Normal[]
  | string
  | number
  | boolean
  | null;

/**
 * Returns a file in normal form: `Map` instead of objects, which keeps the order of all keys.
 * Writers of YAML and JSON write it as it is. Lists and the JSON values of variants stay as they are.
 */
export const normalForm = (file: FlagsFile): Normal => normal(file, SCHEMAS.file);

function normal(value: unknown, schema: Schema | undefined): Normal {
  if (Array.isArray(value)) {
    const { items } = partsOf(schema, value);
    return value.map((item) => normal(item, items));
  }
  if (isObject(value))
    return new Map(entriesOf(value, schema).map(([name, part, one]) => [name, normal(part, one)]));
  return value as string | number | boolean | null;
}

/** Returns the file in normal form as JSON. */
export const fileText = (file: FlagsFile): string => withoutPauses(textSteps(file));

/** Does the same as `fileText` in steps. */
export const textSteps = (file: FlagsFile): Pausing<string> => text(file, SCHEMAS.file, 0);

/** How deep the steps of a text go: to the environments of a flag. */
const STEP_DEPTH = 4;

function* text(value: unknown, schema: Schema | undefined, depth: number): Pausing<string> {
  if (depth === STEP_DEPTH || !isObject(value)) {
    if (typeof value === "object") yield value;
    return json(normal(value, schema));
  }
  const parts: string[] = [];
  for (const [name, part, one] of entriesOf(value, schema))
    parts.push(`${JSON.stringify(name)}:${yield* text(part, one, depth + 1)}`);
  return `{${parts.join(",")}}`;
}

function json(value: Normal): string {
  if (value instanceof Map)
    return `{${Array.from(value, ([name, part]: [string, Normal]) => `${JSON.stringify(name)}:${json(part)}`).join(",")}}`;
  if (Array.isArray(value)) return `[${value.map((item: Normal) => json(item)).join(",")}]`;
  return JSON.stringify(value);
}
