import type { Language } from "./source.ts";

/** The type of a flag's values. */
export type ValueType = "boolean" | "string" | "number" | "json";

type Sdk = "Feature flags" | "OpenFeature" | "Unleash" | "LaunchDarkly";

/** A function or method whose argument is the key of a flag. */
export interface Call {
  readonly sdk: Sdk;
  /** The type that the call expects. Undefined: the call works for every type. */
  readonly type: ValueType | undefined;
  /** The position of the key among the arguments. */
  readonly keyAt: 0 | 1;
  /**
   * Whether other libraries have methods of this name, such as `string`. Then the name of the object
   * before the dot must also look like a client of flags.
   */
  readonly isCommonName: boolean;
  /** Whether the name is that of a function, without an object before it. */
  readonly isFunction: boolean;
}

const TYPES: Readonly<Record<string, ValueType>> = {
  boolean: "boolean",
  bool: "boolean",
  string: "string",
  number: "number",
  integer: "number",
  int: "number",
  float: "number",
  float64: "number",
  double: "number",
  object: "json",
  json: "json",
  jsonvalue: "json",
};

/** Returns calls by name: `pattern` with each type in the place of `*`. */
function typed(
  sdk: Sdk,
  patterns: readonly string[],
  types: readonly string[],
  own: Partial<Call> = {},
) {
  return types.flatMap((type) =>
    patterns.map(
      (pattern) =>
        [
          pattern.replace("*", type),
          call(sdk, { type: TYPES[type.toLowerCase()], ...own }),
        ] as const,
    ),
  );
}

const untyped = (sdk: Sdk, names: readonly string[], own: Partial<Call> = {}) =>
  names.map((name) => [name, call(sdk, own)] as const);

const call = (sdk: Sdk, own: Partial<Call>): Call => ({
  sdk,
  type: undefined,
  keyAt: 0,
  isCommonName: false,
  isFunction: false,
  ...own,
});

const COMMON = { isCommonName: true };
const FUNCTION = { isFunction: true };
const SECOND = { keyAt: 1 } as const;

/** The calls with the key of a flag, by language and by name. */
export const CALLS: Readonly<Record<Language, ReadonlyMap<string, Call>>> = {
  javascript: new Map([
    ...typed("Feature flags", ["*"], ["boolean", "string", "number", "json"], COMMON),
    ...untyped("Feature flags", ["details", "override"], COMMON),
    ...typed(
      "OpenFeature",
      ["get*Value", "get*Details"],
      ["Boolean", "String", "Number", "Object"],
    ),
    ...typed(
      "OpenFeature",
      ["use*FlagValue", "use*FlagDetails", "useSuspense*FlagValue", "useSuspense*FlagDetails"],
      ["Boolean", "String", "Number", "Object"],
      FUNCTION,
    ),
    ...untyped("OpenFeature", ["useFlag", "useSuspenseFlag"], FUNCTION),
    ...untyped("Unleash", ["isEnabled", "getVariant"], COMMON),
    ...untyped("Unleash", ["useVariant"], FUNCTION),
    ...typed(
      "LaunchDarkly",
      ["*Variation", "*VariationDetail"],
      ["bool", "string", "number", "json"],
    ),
    ...typed("LaunchDarkly", ["use*Variation"], ["Bool", "String", "Number", "Json"], FUNCTION),
    ...untyped("LaunchDarkly", ["variation", "variationDetail"]),
  ]),
  python: new Map([
    ...typed(
      "OpenFeature",
      ["get_*_value", "get_*_details", "get_*_value_async", "get_*_details_async"],
      ["boolean", "string", "integer", "float", "object"],
    ),
    ...untyped("Unleash", ["is_enabled", "get_variant"], COMMON),
    ...untyped("LaunchDarkly", ["variation", "variation_detail"]),
  ]),
  go: new Map([
    ...typed(
      "OpenFeature",
      ["*Value", "*ValueDetails"],
      ["Boolean", "String", "Int", "Float", "Object"],
      SECOND,
    ),
    ...typed("OpenFeature", ["*"], ["Boolean", "String", "Int", "Float", "Object"], {
      ...SECOND,
      ...COMMON,
    }),
    ...untyped("Unleash", ["IsEnabled", "GetVariant"], COMMON),
    ...typed(
      "LaunchDarkly",
      ["*Variation", "*VariationDetail"],
      ["Bool", "String", "Int", "Float64", "JSON"],
    ),
    ...typed(
      "LaunchDarkly",
      ["*VariationCtx", "*VariationDetailCtx"],
      ["Bool", "String", "Int", "Float64", "JSON"],
      SECOND,
    ),
  ]),
  java: new Map([
    ...typed(
      "OpenFeature",
      ["get*Value", "get*Details"],
      ["Boolean", "String", "Integer", "Double", "Object"],
    ),
    ...untyped("Unleash", ["isEnabled", "getVariant"], COMMON),
    ...typed(
      "LaunchDarkly",
      ["*Variation", "*VariationDetail"],
      ["bool", "string", "int", "double", "jsonValue"],
    ),
  ]),
};

/** The names of the objects whose methods with common names count as calls of a client of flags. */
export const CLIENT_NAME = /flag|feature|toggle|unleash|client/i;

/**
 * Matches the name of a variable or field with a client of our SDK. The type before the equals sign has
 * a limit, so that the time does not grow with the square of the size of the source.
 */
export const OWN_CLIENT =
  /(?<![\w$])([\w$]+)\s*(?::[^=;\n]{0,200})?=\s*(?:await\s+)?create(?:Binding|Offline)?Client\s*[<(]/g;
