import { CONTEXT_TYPES } from "@feature-flags/evaluation/operators";
import { areSlots, maxSlots, type StoredSlot, toSlots } from "@feature-flags/evaluation/slots";
import * as z from "zod/mini";
import { isObject } from "./json.ts";
import { about, field, fields, list, MAX_ITEMS, messageOf } from "./parts.ts";

/**
 * The file with the flags of a project (docs/use/flags-as-code.md). Its values are plain JSON, and a
 * YAML file has the same fields. This is its only description: the types, the JSON Schema, the check,
 * the defaults and the order of fields follow from it.
 *
 * A field that is left out is not managed by the file: an existing flag keeps its value, and a new
 * flag gets the default. Names and keys replace the ids of the API. Maps have no order. Lists do.
 */

/** The manager of a file that names none. */
export const DEFAULT_MANAGER = "file";

const RANGE = "must be between 0 and 100";

/** 0 to 100, with up to three decimals. */
const percentage = z.number().check(
  z.minimum(0, RANGE),
  z.maximum(100, RANGE),
  z.refine(
    (value) => Math.round(value * 1000) / 1000 === value,
    "must have at most three decimals",
  ),
);

const text = z.string();
const textOrNull = z.union([text, z.null()]);
const texts = list(text);
const mapOf = <T extends z.core.$ZodType>(schema: T) => field(z.record(text, schema));

/** A JSON object whose content is not the file's. */
const anyObject = z.custom<Readonly<Record<string, unknown>>>(
  isObject,
  "must be an object or null",
);
about.add(anyObject, { type: "object" });

/** A value of a context: a text, or a text with a description. */
const contextValue = z.union([text, fields({ value: text, description: field(textOrNull, null) })]);

const context = fields({
  /** Default: the context key. */
  name: field(text),
  /** The type of the values. */
  contextType: field(z.enum(CONTEXT_TYPES as readonly string[]), "string"),
  /** The values that the dashboard suggests. The order does not matter. */
  values: field(list(contextValue), []),
});

const tag = fields({
  /** A colour as `#rgb` or `#rrggbb`. */
  color: field(text, "#868e96"),
  /** The name of the tag before this file renames it. */
  renamedFrom: field(text),
});

/** A condition on one field of the evaluation context. */
const constraint = fields({
  field: text,
  operator: text,
  /** Texts, one of which must match. */
  values: field(texts, []),
  /** The type that decides how values are compared. */
  contextType: field(text, "string"),
  caseInsensitive: field(z.boolean(), false),
  inverted: field(z.boolean(), false),
});

const segment = fields({
  description: field(textOrNull, null),
  /** All of them must hold. A segment without constraints never holds. */
  constraints: field(list(constraint), []),
  /** The name of the segment before this file renames it. */
  renamedFrom: field(text),
});

/**
 * The percentage of each variant, by its key. Not `z.record`, which ignores the key `__proto__`: a
 * variant can have it.
 */
const weights = z.custom<Readonly<Record<string, number>>>(isObject, "must be an object").check(
  z.superRefine((given, c) => {
    const entries = Object.entries(given);
    if (entries.length > MAX_ITEMS) return c.addIssue(`must have at most ${MAX_ITEMS} entries`);
    const faults = entries.flatMap(([variant, weight]) => {
      const { error } = z.safeParse(percentage, weight, { error: messageOf });
      return (error?.issues ?? []).map(({ message }) => ({ message, path: [variant] }));
    });
    for (const fault of faults) c.addIssue({ code: "custom", ...fault });
    const sum = entries.reduce((total, [, weight]) => total + Math.round(weight * 1000), 0);
    if (faults.length === 0 && sum !== 100_000) c.addIssue("must add up to 100");
  }),
);
about.add(weights, {
  type: "object",
  additionalProperties: { type: "number", minimum: 0, maximum: 100 },
});

const position = z
  .int()
  .check(
    z.minimum(0, "must be between 0 and 100000"),
    z.maximum(100_000, "must be between 0 and 100000"),
  );
const slot = z.tuple([position, position, text], {
  error: ({ code }) => (code === "invalid_type" ? undefined : "must have 3 items"),
});
about.add(slot, { items: false, minItems: 3 });

const serveFields = fields({
  variant: z.optional(text),
  /** They add up to 100. */
  weights: z.optional(weights),
  /**
   * Which of the 100,000 positions each variant has, with their history: the variant received the
   * positions next to the first border first. Default: those that the split has, changed for as few
   * users as possible.
   */
  slots: z.optional(list(slot)),
}).check(
  z.superRefine(({ variant, weights: split, slots }, c) => {
    if ((variant === undefined) === (split === undefined))
      return c.addIssue("must have either variant or weights");
    const message = slots && (split ? slotFault(slots) : "belong to weights");
    if (message !== undefined) c.addIssue({ code: "custom", message, path: ["slots"] });
  }),
);

/** Returns what is wrong with the slots of a split; undefined if nothing is. */
function slotFault(slots: readonly StoredSlot[]): string | undefined {
  const limit = maxSlots(new Set(slots.map(([, , variant]) => variant)).size);
  if (slots.length > limit) return `must have at most ${limit} slots`;
  return slots.some(([from, to]) => from === to) || !areSlots(toSlots(slots))
    ? "must cover each position from 0 to 100000 once"
    : undefined;
}

/** What a rule serves: one variant, or a weighted split. */
type Serve =
  | { readonly variant: string }
  | {
      readonly weights: Readonly<Record<string, number>>;
      readonly slots?: readonly StoredSlot[] | undefined;
    };
const serve = serveFields as unknown as z.ZodMiniType<Serve>;
about.add(serve, { oneOf: [{ required: ["variant"] }, { required: ["weights"] }] });

/** What a strategy and each of its rules have: whom they apply to, and what they serve. */
const activation = {
  /** `exactPercentage` of the API. */
  percentage: field(percentage, 100),
  constraints: field(list(constraint), []),
  /** The names of segments, all of which must hold. */
  segments: field(texts, []),
  /** The context field that the roll-out hashes. Null: the first usual one. */
  stickiness: field(textOrNull, null),
  /** Replaces the flag key in the hash of the roll-out. */
  hashKey: field(textOrNull, null),
  /** Default: the first variant of the flag. */
  serve: field(serve),
  /** Replaces the flag key in the hash of the split. */
  splitKey: field(textOrNull, null),
  /** The context field that the split hashes. Null: the one of the roll-out. */
  splitStickiness: field(textOrNull, null),
};

/** An ordered rule. A field that is left out has its default. */
const rule = fields({
  /**
   * Identifies the rule within the flag and the environment. Default: the id of the rule with the same
   * content or name, else a new id.
   */
  id: field(text.check(z.regex(/^[a-z0-9-]{1,40}$/, "must match ^[a-z0-9-]{1,40}$"))),
  name: field(textOrNull, null),
  ...activation,
});

/** The strategy of a flag in one environment. */
const strategy = fields({
  enabled: field(z.boolean(), false),
  ...activation,
  /** The rules that are tried in order before the strategy's own fields. */
  rules: field(list(rule), []),
});

const variant = fields({
  key: text,
  /** A JSON value of the flag's `valueType`. */
  value: z.unknown(),
  description: field(text),
});

const prerequisite = fields({
  flagKey: text,
  /** The value that `enabled` must have in the verdict of the required flag. */
  enabled: field(z.boolean(), true),
  /** The variants of which the required flag must serve one. Default: any variant. */
  variants: field(texts),
});

/** A tag of a flag: the name of a tag, which is also the value, or a name with another value. */
const flagTag = z.union([text, fields({ name: text, value: text })]);

const flag = fields({
  /** Required for a new flag. */
  name: field(text),
  description: field(textOrNull, null),
  /** Cannot be changed. */
  flagType: z.enum(["RELEASE", "KILLSWITCH"]),
  /** The order does not matter. */
  tags: field(list(flagTag), []),
  /** Cannot be changed. */
  valueType: field(z.enum(["boolean", "string", "number", "json"]), "boolean"),
  /** Required for a new flag that is no boolean flag. A boolean flag has `on` and `off`. */
  variants: field(list(variant)),
  /** The key of a variant; null: none. Default: `off` for a boolean flag, else null. */
  offVariant: field(textOrNull),
  /** A JSON Schema that the value of every variant must match; null: none. */
  valueSchema: field(z.union([anyObject, z.null()]), null),
  prerequisites: field(list(prerequisite), []),
  /**
   * Which clients get the flag: `all`, or only servers, so that browsers do not learn that it exists.
   * Default: the setting `newFlagClients` of the project.
   */
  clients: field(z.enum(["all", "server"])),
  /** The strategies of the flag, by the names of environments. */
  environments: mapOf(strategy),
});

const file = fields({
  /** The version of the format. */
  version: z.literal(1),
  /** The name of the project. */
  project: text,
  /** Who manages the fields that the file names, such as the name of a repository. */
  manager: field(text, DEFAULT_MANAGER),
  /** The fields of the evaluation context that the project knows, by their context keys. */
  contexts: mapOf(context),
  /** The tags of the project, by their names. */
  tags: mapOf(tag),
  /** The segments of the project, by their names. */
  segments: mapOf(segment),
  /** The flags of the project, by their keys. */
  flags: mapOf(flag),
});

/** The schemas of the file, and of the objects in it that have names or fields of their own. */
export const SCHEMAS = { file, context, tag, segment, flag, strategy, rule };
for (const [id, schema] of Object.entries({ ...SCHEMAS, constraint, serve }))
  if (id !== "file") about.add(schema, { ...about.get(schema), id });

/** What a schema accepts, which nobody changes. */
type Of<T> = Fixed<z.output<T>>;
type Fixed<T> = unknown extends T
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: Fixed<T[Key]> }
    : T;

export type FlagsFile = Of<typeof file>;
export type Named<T> = Readonly<Record<string, T>>;
export type FileContext = Of<typeof context>;
export type FileContextValue = Of<typeof contextValue>;
export type FileTag = Of<typeof tag>;
export type FileSegment = Of<typeof segment>;
export type FileConstraint = Of<typeof constraint>;
export type FileFlag = Of<typeof flag>;
export type FileFlagTag = Of<typeof flagTag>;
export type FileVariant = Of<typeof variant>;
export type FilePrerequisite = Of<typeof prerequisite>;
export type FileStrategy = Of<typeof strategy>;
export type FileRule = Of<typeof rule>;
export type FileActivation = Omit<FileRule, "id" | "name">;
export type FileServe = Serve;
