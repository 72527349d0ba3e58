import * as z from "zod/mini";
import { SCHEMAS } from "./file.ts";
import { about } from "./parts.ts";
import { isObject } from "./json.ts";

/** The kinds of objects in the file that have names or keys. */
export type Kind = "context" | "tag" | "segment" | "flag" | "strategy";

export type Schema = z.core.$ZodType;

/** Returns the fields of a kind of object, in their order, with their schemas. */
export const fieldsOf = (kind: Kind | "rule"): Readonly<Record<string, Schema>> =>
  SCHEMAS[kind].def.shape;

/** Returns the default of a field; undefined for a field without one. */
export const usualValue = (schema: Schema | undefined): unknown =>
  schema && about.get(schema)?.["default"];

/** A schema of zod, whose kinds differ in their definition. */
type Defined = Schema & { readonly def: z.core.$ZodTypes["_zod"]["def"] };

/** What a value of the file consists of. */
interface Parts {
  /** The schemas of the fields of an object, in their order. */
  readonly fields?: Readonly<Record<string, Schema>>;
  /** The schema of the values of a map. */
  readonly entries?: Schema;
  /** The schema of the items of a list. */
  readonly items?: Schema;
}

/** Returns the schemas of the parts of a value. */
export function partsOf(schema: Schema | undefined, value: unknown): Parts {
  if (!schema) return {};
  const { def } = schema as Defined;
  switch (def.type) {
    case "optional":
      return partsOf(def.innerType, value);
    case "pipe":
      return partsOf(def.out, value);
    case "union":
      return isObject(value) ? partsOf(def.options.find(isOfObject), value) : {};
    case "object":
      return { fields: def.shape };
    case "array":
      return { items: def.element };
    case "record":
      return { entries: def.valueType };
    default:
      return about.get(schema)?.["additionalProperties"] ? { entries: z.number() } : {};
  }
}

const isOfObject = (schema: Schema): boolean => {
  const { type } = (schema as Defined).def;
  return type === "object";
};
