import type { Regex } from "@feature-flags/evaluation/regex-pool";
import type { Keywords, Schema } from "./keywords.ts";
import type { SoundSchema } from "./sound-schema.ts";

/** A schema as `uniformSchema` returns it. */
export type UniformSchema = boolean | UniformKeywords;

type Nesting =
  | "prefixItems"
  | "items"
  | "properties"
  | "additionalProperties"
  | "allOf"
  | "anyOf"
  | "oneOf"
  | "not"
  | "if"
  | "then"
  | "else";

/**
 * The keywords of a schema, undefined if absent. All objects have the same fields. `matching` and
 * `other` are `then` and `else`, because an object with `then` can be mistaken for a promise.
 */
export type UniformKeywords = {
  readonly [K in Exclude<keyof Keywords, Nesting | "$ref">]-?: Keywords[K] | undefined;
} & {
  readonly [K in "prefixItems" | "allOf" | "anyOf" | "oneOf"]: readonly UniformSchema[] | undefined;
} & {
  readonly [K in "items" | "additionalProperties" | "not" | "if" | "matching" | "other"]:
    | UniformSchema
    | undefined;
} & {
  readonly properties: Readonly<Record<string, UniformSchema>> | undefined;
  /** The schema to which `$ref` leads. */
  readonly target: UniformSchema | undefined;
  /** The compiled `pattern`. */
  readonly regex: Regex | undefined;
};

/**
 * Returns a schema whose objects all have the same fields. A check of a value reads about 30 fields
 * of each object. Engines take several times as long for that if the objects have different fields.
 */
export function uniformSchema({ root, targets, regexes }: SoundSchema): UniformSchema {
  const known = new Map<Keywords, UniformKeywords>();
  const maybe = (schema: Schema | undefined) =>
    schema === undefined ? undefined : uniform(schema);
  const uniform = (schema: Schema): UniformSchema => {
    if (typeof schema === "boolean") return schema;
    const found = known.get(schema);
    if (found) return found;
    const made: UniformKeywords = {
      target: maybe(targets.get(schema)?.schema),
      regex: regexes.get(schema),
      type: schema.type,
      enum: schema.enum,
      const: schema.const,
      multipleOf: schema.multipleOf,
      minimum: schema.minimum,
      maximum: schema.maximum,
      exclusiveMinimum: schema.exclusiveMinimum,
      exclusiveMaximum: schema.exclusiveMaximum,
      minLength: schema.minLength,
      maxLength: schema.maxLength,
      pattern: schema.pattern,
      format: schema.format,
      minItems: schema.minItems,
      maxItems: schema.maxItems,
      uniqueItems: schema.uniqueItems,
      prefixItems: schema.prefixItems?.map(uniform),
      items: maybe(schema.items),
      minProperties: schema.minProperties,
      maxProperties: schema.maxProperties,
      required: schema.required,
      properties:
        schema.properties &&
        Object.fromEntries(
          Object.entries(schema.properties).map(([name, one]) => [name, uniform(one)]),
        ),
      additionalProperties: maybe(schema.additionalProperties),
      allOf: schema.allOf?.map(uniform),
      anyOf: schema.anyOf?.map(uniform),
      oneOf: schema.oneOf?.map(uniform),
      not: maybe(schema.not),
      if: maybe(schema.if),
      matching: maybe(schema.then),
      other: maybe(schema.else),
    };
    known.set(schema, made);
    return made;
  };
  return uniform(root);
}
