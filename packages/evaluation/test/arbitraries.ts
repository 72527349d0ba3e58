import * as fc from "fast-check";
import { CONTEXT_TYPES, operatorsOf } from "../src/operators.ts";
import type {
  Activation,
  ClientRule,
  Constraint,
  EvaluationContext,
  Prerequisite,
  RuleSegment,
} from "../src/rule.ts";
import type { Slot } from "../src/slots.ts";

const FIELDS = ["f", "g", "targetingKey", "__proto__"];

const date = fc
  .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
  .map((value) => value.toISOString());

const version = fc
  .tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.constantFrom("", "-alpha.1", "-rc", "+build"))
  .map(([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}`);

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6().filter((text) => !text.includes(".")),
);

/** Generators of valid constraint values, by the context type of the constraint. */
const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  string: fc.oneof(fc.constantFrom("a", "A", "ab", ""), fc.string()),
  number: fc.oneof(fc.constantFrom("0", "1", "1.0", "-2.5e3"), fc.integer().map(String)),
  boolean: fc.constantFrom("true", "false"),
  date: fc.oneof(fc.constantFrom("2026-01-01", "2026-01-01T01:00:00+01:00"), date),
  semver: version,
  ip: fc.oneof(fc.constantFrom("10.0.0.1", "::ffff:10.0.0.1"), address),
};

const pattern = fc.constantFrom("a", "^a+$", "[^b]", "(?i)x|y", "\\d", ".");

/** Generates a valid constraint, of the given context type or of any type. */
export function soundConstraint(contextType?: string): fc.Arbitrary<Constraint> {
  const types = contextType === undefined ? CONTEXT_TYPES : [contextType];
  return fc.constantFrom(...types).chain((type) =>
    fc.constantFrom(...operatorsOf(type)).chain((operator) => {
      const value = operator === "matches" ? pattern : (VALUES[type] ?? fc.string());
      return fc.record(
        {
          field: fc.constantFrom(...FIELDS),
          operator: fc.constant(operator),
          values: fc.array(value, { minLength: 1, maxLength: 4 }),
          contextType: fc.constant(type),
          inverted: fc.boolean(),
          caseInsensitive: type === "string" ? fc.boolean() : fc.constant(false),
        },
        { requiredKeys: ["field", "operator", "values", "contextType"] },
      );
    }),
  );
}

export const segment: fc.Arbitrary<RuleSegment> = fc.record({
  name: fc.string(),
  constraints: fc.array(soundConstraint(), { maxLength: 3 }),
});

/** Generates a valid rule. */
export const soundRule: fc.Arbitrary<ClientRule> = fc.record({
  key: fc.string({ minLength: 1 }),
  name: fc.string(),
  enabled: fc.boolean(),
  activation: fc.record(
    {
      rollOut: fc.double({ min: 0, max: 100, noNaN: true }),
      constraints: fc.array(soundConstraint(), { maxLength: 3 }),
      segments: fc.array(segment, { maxLength: 3 }),
      stickiness: fc.constantFrom("f", "userId"),
    },
    { requiredKeys: ["rollOut", "constraints", "segments"] },
  ),
});

const FLAG_KEYS = ["a", "b", "c", "d", "e"];
const VARIANTS = { red: "#f00", green: 2, blue: { rgb: [0, 0, 255] } };
const VARIANT_KEYS = Object.keys(VARIANTS);

const percent = fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1000);

/** Generates a list of slots of one to three variants. */
const slotList = (variants: readonly string[]): fc.Arbitrary<Slot[]> =>
  fc
    .tuple(fc.uniqueArray(fc.integer({ min: 1, max: 99_999 }), { maxLength: 4 }), fc.nat(2))
    .map(([cuts, first]) => {
      const borders = [0, ...cuts.toSorted((one, other) => one - other), 100_000];
      return borders
        .slice(1)
        .map((end, index) => [
          borders[index] ?? 0,
          end,
          variants[(first + index) % variants.length] ?? "",
        ]);
    });

/** Generates what a rule applies to and serves. Most conditions are met by `fittingContext`. */
function soundActivation(variants: readonly string[]): fc.Arbitrary<Activation> {
  const conditions = fc.record(
    {
      rollOut: fc.oneof(fc.constantFrom(0, 100), fc.integer({ min: 0, max: 100 })),
      constraints: fc.array(soundConstraint("string"), { maxLength: 1 }),
      segments: fc.array(segment, { maxLength: 1 }),
      stickiness: fc.constantFrom("f", "userId"),
      exactRollOut: fc.oneof(fc.constantFrom(0, 100), percent),
      hashKey: fc.constantFrom("group", ""),
      splitKey: fc.constantFrom("group", ""),
      splitStickiness: fc.constantFrom("f", "g"),
    },
    { requiredKeys: ["rollOut", "constraints", "segments"] },
  );
  const served: fc.Arbitrary<Pick<Activation, "serve" | "slots">> = fc.oneof(
    fc.record({ serve: fc.constantFrom(...variants) }),
    fc.record({ slots: slotList(variants) }),
  );
  return fc.tuple(conditions, served).map(([one, other]) => Object.assign({}, one, other));
}

const prerequisite: fc.Arbitrary<Prerequisite> = fc.record(
  {
    flagKey: fc.constantFrom(...FLAG_KEYS, "missing"),
    enabled: fc.boolean(),
    variants: fc.subarray([...VARIANT_KEYS, "on", "off"], { minLength: 2 }),
  },
  { requiredKeys: ["flagKey"] },
);

function soundFlag(key: string, type: string): fc.Arbitrary<ClientRule> {
  const variants = type === "boolean" ? ["on", "off"] : VARIANT_KEYS;
  const activation = soundActivation(variants);
  const rules = fc
    .array(activation, { maxLength: 3 })
    .map((list) => list.map((one, index) => Object.assign({ id: `rule-${index}` }, one)));
  return fc.record(
    {
      key: fc.constant(key),
      name: fc.constant(key),
      enabled: fc.constantFrom(true, true, true, false),
      activation,
      type: fc.constant(type),
      variants: fc.constant(VARIANTS),
      offVariant: fc.constantFrom(...variants, null),
      rules,
      prerequisites: fc.array(prerequisite, { maxLength: 2 }),
    },
    { requiredKeys: ["key", "name", "enabled", "activation", "type", "variants"] },
  );
}

/**
 * Generates an environment of five flags with values, ordered rules and prerequisites. Some of the
 * required flags are missing, and some prerequisites form cycles.
 */
export const soundFlags: fc.Arbitrary<ClientRule[]> = fc.tuple(
  ...FLAG_KEYS.map((key) =>
    fc.constantFrom("boolean", "string", "json").chain((type) => soundFlag(key, type)),
  ),
);

/**
 * Generates any context value. Most are valid constraint values, so that constraints often match.
 */
const contextValue = fc.oneof(
  ...Object.values(VALUES),
  fc.integer({ min: -3, max: 3 }),
  fc.double(),
  fc.boolean(),
  fc.anything(),
);

/** Generates an evaluation context with some of the fields that the generated constraints read. */
export const fittingContext: fc.Arbitrary<EvaluationContext> = fc.dictionary(
  fc.constantFrom(...FIELDS),
  contextValue,
);

const isObject = (value: unknown): value is EvaluationContext =>
  typeof value === "object" && value !== null;

/** Generates any object, to pass in place of an evaluation context. */
export const anyContext: fc.Arbitrary<EvaluationContext> = fc.oneof(
  fittingContext,
  fc
    .anything({ withBigInt: true, withMap: true, withNullPrototype: true, withTypedArray: true })
    .filter(isObject),
);

/** Generates a constraint that may be malformed in any way. */
export const anyConstraint: fc.Arbitrary<unknown> = fc.oneof(
  soundConstraint(),
  fc.record(
    {
      field: fc.oneof(fc.constantFrom(...FIELDS, ""), fc.anything()),
      operator: fc.oneof(
        fc.constantFrom(...CONTEXT_TYPES.flatMap((type) => operatorsOf(type)), "like"),
        fc.anything(),
      ),
      values: fc.oneof(fc.array(fc.oneof(contextValue, pattern, fc.constant("("))), fc.anything()),
      contextType: fc.oneof(fc.constantFrom(...CONTEXT_TYPES, "constructor"), fc.anything()),
      inverted: fc.oneof(fc.boolean(), fc.anything()),
      caseInsensitive: fc.oneof(fc.boolean(), fc.anything()),
    },
    { requiredKeys: [] },
  ),
  fc.anything(),
);
