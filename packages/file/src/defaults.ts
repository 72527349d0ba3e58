import type { FileFlag, FileRule, FileServe } from "./file.ts";
import { isObject } from "./json.ts";
import { fieldsOf, type Kind, partsOf, type Schema, usualValue } from "./schema.ts";
import { withSlots } from "./splits.ts";

/** What the defaults of a field depend on, besides the field. */
export interface Owner {
  readonly kind: Kind;
  /** The name or key. For a strategy, that of its flag. */
  readonly key: string;
  /** The flag, or the flag of the strategy. Undefined for other kinds. */
  readonly flag?: Pick<FileFlag, "valueType" | "variants"> | undefined;
}

/** Returns the keys of the variants of a flag, in order. */
export const variantKeys = (flag: Owner["flag"]): readonly string[] =>
  flag?.variants?.map(({ key }) => key) ?? ["on", "off"];

/** Returns the default of a field; undefined for a field without one, such as a name. */
export function defaultOf({ kind, key, flag }: Owner, field: string): unknown {
  if (kind === "context" && field === "name") return key;
  if (field === "offVariant") return (flag?.valueType ?? "boolean") === "boolean" ? "off" : null;
  if (field === "serve") return firstVariant(variantKeys(flag));
  return usualValue(fieldsOf(kind)[field]);
}

export const firstVariant = ([variant = ""]: readonly string[]): FileServe => ({ variant });

/**
 * Returns the value of a field in the form in which two values are the same exactly if they mean the
 * same: with the defaults inside of it, and without an order that does not matter.
 */
export function comparable({ kind, flag }: Owner, field: string, value: unknown): unknown {
  if (kind === "flag" && field === "tags") return sorted(list(value).map(toTag));
  if (kind === "context" && field === "values") return sorted(list(value).map(toValue));
  const variants = variantKeys(flag);
  if (field === "serve") return withSlots(value as FileServe, variants);
  const complete = filled(value, fieldsOf(kind)[field]);
  if (field !== "rules") return complete;
  return (complete as readonly FileRule[]).map((rule) =>
    Object.assign(rule, { serve: withSlots(rule.serve ?? firstVariant(variants), variants) }),
  );
}

/** Returns a value with the defaults of the fields of objects inside of it. */
function filled(value: unknown, given: Schema | undefined): unknown {
  if (typeof value !== "object") return value;
  const { items, fields } = partsOf(given, value);
  if (Array.isArray(value)) return items ? value.map((item) => filled(item, items)) : value;
  if (!isObject(value) || !fields) return value;
  const entries = Object.entries(fields).flatMap(([name, schema]) => {
    const part = value[name] === undefined ? usualValue(schema) : filled(value[name], schema);
    return part === undefined ? [] : [[name, part] as const];
  });
  return Object.fromEntries(entries);
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const toTag = (tag: unknown) => (typeof tag === "string" ? { name: tag, value: tag } : tag);

const toValue = (value: unknown) =>
  typeof value === "string"
    ? { value, description: null }
    : { description: null, ...(value as object) };

/** Sorts by the JSON, each item once. */
function sorted(items: readonly unknown[]): unknown[] {
  const byJson = new Map(items.map((item) => [JSON.stringify(sortedKeys(item)), item]));
  return [...byJson.keys()].toSorted().map((json) => byJson.get(json));
}

const sortedKeys = (item: unknown) =>
  Object.entries(item as object).toSorted(([a], [b]) => (a < b ? -1 : 1));
