import { DEFAULT_MANAGER } from "./file.ts";

/**
 * The part of JSON Schema (2020-12) that describes the file. `faultsOf` checks a file by it,
 * `normalForm` takes the order of fields from it, and `defaultOf` the defaults.
 */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: "string" | "number" | "integer" | "boolean" | "null" | "object" | "array";
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
  /** The alternatives: of different types, or objects of which one has the required fields. */
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const text: Schema = { type: "string" };
const textOrNull: Schema = { anyOf: [text, { type: "null" }], default: null };
const listOf = (items: Schema): Schema => ({ type: "array", items, default: [] });
const mapOf = (additionalProperties: Schema): Schema => ({ type: "object", additionalProperties });
const position: Schema = { type: "integer", minimum: 0, maximum: 100_000 };
const percent: Schema = { type: "number", minimum: 0, maximum: 100 };

const fields = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

const activation = {
  percentage: { ...percent, default: 100 },
  constraints: listOf(ref("constraint")),
  segments: listOf(text),
  stickiness: textOrNull,
  hashKey: textOrNull,
  serve: ref("serve"),
  splitKey: textOrNull,
  splitStickiness: textOrNull,
};

const $defs = {
  context: fields({
    name: text,
    contextType: {
      enum: ["string", "number", "boolean", "date", "semver", "ip"],
      default: "string",
    },
    values: listOf({
      anyOf: [text, fields({ value: text, description: textOrNull }, ["value"])],
    }),
  }),
  tag: fields({ color: { ...text, default: "#868e96" }, renamedFrom: text }),
  segment: fields({
    description: textOrNull,
    constraints: listOf(ref("constraint")),
    renamedFrom: text,
  }),
  constraint: fields(
    {
      field: text,
      operator: text,
      values: listOf(text),
      contextType: { ...text, default: "string" },
      caseInsensitive: { type: "boolean", default: false },
      inverted: { type: "boolean", default: false },
    },
    ["field", "operator"],
  ),
  flag: fields(
    {
      name: text,
      description: textOrNull,
      flagType: { enum: ["RELEASE", "KILLSWITCH"] },
      tags: listOf({ anyOf: [text, fields({ name: text, value: text }, ["name", "value"])] }),
      valueType: { enum: ["boolean", "string", "number", "json"], default: "boolean" },
      variants: {
        type: "array",
        items: fields({ key: text, value: {}, description: text }, ["key", "value"]),
      },
      offVariant: { anyOf: [text, { type: "null" }] },
      valueSchema: { anyOf: [{ type: "object" }, { type: "null" }], default: null },
      prerequisites: listOf(
        fields(
          {
            flagKey: text,
            enabled: { type: "boolean", default: true },
            variants: { type: "array", items: text },
          },
          ["flagKey"],
        ),
      ),
      environments: mapOf(ref("strategy")),
    },
    ["flagType"],
  ),
  strategy: fields({
    enabled: { type: "boolean", default: false },
    ...activation,
    rules: listOf(ref("rule")),
  }),
  rule: fields({
    id: { type: "string", pattern: "^[a-z0-9-]{1,40}$" },
    name: textOrNull,
    ...activation,
  }),
  serve: {
    ...fields({
      variant: text,
      weights: mapOf(percent),
      slots: {
        type: "array",
        items: {
          type: "array",
          prefixItems: [position, position, text],
          items: false,
          minItems: 3,
        },
      },
    }),
    oneOf: [{ required: ["variant"] }, { required: ["weights"] }],
  },
} satisfies Record<string, Schema>;

/** The kinds of objects in the file that have names or keys. */
export type Kind = "context" | "tag" | "segment" | "flag" | "strategy";

const definitions: Readonly<Record<string, Schema>> = $defs;

/** The JSON Schema of the file, which editors use. */
export const FLAGS_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "The flags of a project",
  ...fields(
    {
      version: { const: 1 },
      project: text,
      manager: { ...text, default: DEFAULT_MANAGER },
      contexts: mapOf(ref("context")),
      tags: mapOf(ref("tag")),
      segments: mapOf(ref("segment")),
      flags: mapOf(ref("flag")),
    },
    ["version", "project"],
  ),
  $defs: definitions,
} as const satisfies Schema & Record<string, unknown>;

/** Returns the schema to which a schema refers, or the schema itself. */
export const deref = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (definitions[schema.$ref.slice("#/$defs/".length)] ?? {});

/** Returns the fields of a kind of object, in their order, with their schemas. */
export const fieldsOf = (kind: Kind | "rule"): Readonly<Record<string, Schema>> =>
  definitions[kind]?.properties ?? {};
