import * as fc from "fast-check";
import { operatorsOf } from "@feature-flags/evaluation/operators";
import type {
  Activation,
  ClientRule,
  Constraint,
  Prerequisite,
} from "@feature-flags/evaluation/rule";
import type { Slot } from "@feature-flags/evaluation/slots";
import type { UserContext } from "./compared.ts";

const NUMBERS = ["0", "1", "-2.5", "18", "40", "1e3"];
const VERSIONS = ["1.2.3", "1.2.3-rc.1", "1.2.3+build", "2.0.0", "0.9.10"];
const ADDRESSES = ["10.0.0.1", "10.0.3.77", "192.168.1.1", "2001:db8::1", "2001:db8:1::9"];
const TEXTS = ["de", "at", "Ann", "ann@example.com", "bob@example.org", "pro", "a"];
const DATES = ["2026-01-01", "2026-06-01T12:00:00+02:00", "2027-01-01T00:00:00.5Z"];

/** The context fields by type. Values of other types, and empty ones, occur in all of them. */
const FIELDS: Readonly<Record<string, { fields: string[]; values: string[]; context: string[] }>> =
  {
    string: {
      fields: ["email", "plan", "userId", "targetingKey", "sessionId"],
      values: TEXTS,
      context: TEXTS,
    },
    number: { fields: ["age"], values: NUMBERS, context: NUMBERS },
    boolean: { fields: ["beta"], values: ["true", "false"], context: ["true", "false"] },
    date: { fields: ["currentTime"], values: DATES, context: DATES },
    semver: { fields: ["version"], values: VERSIONS, context: VERSIONS },
    ip: {
      fields: ["remoteAddress"],
      values: ADDRESSES,
      context: ADDRESSES,
    },
  };

const BLOCKS = ["10.0.0.0/16", "2001:db8::/32"];
const TYPES = Object.keys(FIELDS);
const PATTERNS = ["^ann", "@example\\.(com|org)$", "a", "\\d"];

/** Generates a value that SDKs of Unleash cannot read as it is. */
const oddValue = fc.constantFrom("", " de", "pro\\");

/** Generates a constraint. One in 20 cannot be expressed in Unleash. */
const anyConstraint: fc.Arbitrary<Constraint> = fc.constantFrom(...TYPES).chain((type) =>
  fc.constantFrom(...operatorsOf(type)).chain((operator) => {
    const { fields = [], values = [] } = FIELDS[type] ?? {};
    const blocks = type === "ip" && operator.endsWith("n") ? BLOCKS : [];
    const usual = fc.constantFrom(...(operator === "matches" ? PATTERNS : values), ...blocks);
    const value = type === "string" ? fc.oneof({ weight: 30, arbitrary: usual }, oddValue) : usual;
    return fc.record(
      {
        field: fc.constantFrom(...fields),
        operator: fc.constant(operator),
        values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
        contextType: fc.constant(type),
        inverted: fc.boolean(),
        caseInsensitive:
          type === "string" && operator !== "in" && operator !== "equals"
            ? fc.boolean()
            : fc.constant(false),
      },
      { requiredKeys: ["field", "operator", "values", "contextType"] },
    );
  }),
);

const segment = fc.record({
  name: fc.constant("segment"),
  constraints: fc.array(anyConstraint, { maxLength: 2 }),
});

const percent = fc.oneof(
  { weight: 3, arbitrary: fc.constant(100) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 100 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 100_000 }).map((value) => value / 1000) },
);

/** Generates the slots of a split, most of them with borders at a multiple of 0.1 %. */
const slotList = (variants: readonly string[]): fc.Arbitrary<readonly Slot[]> =>
  fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 4 }),
      fc.nat(2),
      fc.constantFrom(100, 100, 100, 99),
    )
    .map(([cuts, first, width]) => {
      const inner = cuts.toSorted((one, other) => one - other).map((cut) => cut * width);
      const borders = [0, ...inner, 100_000];
      return borders
        .slice(1)
        .map((end, index): Slot => [
          borders[index] ?? 0,
          end,
          variants[(first + index) % variants.length] ?? "",
        ]);
    });

const stickiness = fc.constantFrom("userId", "targetingKey", "plan");

function anyActivation(variants: readonly string[]): fc.Arbitrary<Activation> {
  const conditions = fc.record(
    {
      rollOut: percent,
      constraints: fc.array(anyConstraint, { maxLength: 2 }),
      segments: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        fc.array(segment, { maxLength: 1 }),
      ),
      stickiness,
      hashKey: fc.constantFrom("group", "a"),
      splitKey: fc.constantFrom("group", "a"),
      splitStickiness: stickiness,
    },
    { requiredKeys: ["rollOut", "constraints", "segments"] },
  );
  const isBoolean = variants.includes("on");
  const served: fc.Arbitrary<Pick<Activation, "serve" | "slots">> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ serve: fc.constantFrom(...variants) }) },
    { weight: isBoolean ? 1 : 6, arbitrary: fc.record({ slots: slotList(variants) }) },
  );
  return fc.tuple(conditions, served).map(([one, other]) => {
    const { rollOut } = one;
    const whole = Math.floor(rollOut);
    return Object.assign(
      {},
      one,
      { rollOut: whole },
      whole !== rollOut && { exactRollOut: rollOut },
      other,
    );
  });
}

const FLAG_KEYS = ["a", "b", "c", "d", "e"];
const VARIANTS = { red: "#f00", green: 2, blue: { rgb: [0, 0, 255] } };
const VARIANT_KEYS = Object.keys(VARIANTS);

const prerequisite: fc.Arbitrary<Prerequisite> = fc.record(
  {
    flagKey: fc.constantFrom(...FLAG_KEYS),
    enabled: fc.constantFrom(true, true, false),
    variants: fc.subarray([...VARIANT_KEYS, "on", "off"], { minLength: 2 }),
  },
  { requiredKeys: ["flagKey"] },
);

function anyFlag(key: string, type: "boolean" | "json"): fc.Arbitrary<ClientRule> {
  const variants = type === "boolean" ? ["on", "off", "on"] : VARIANT_KEYS;
  const activation = anyActivation(variants);
  return fc.record(
    {
      key: fc.constant(key),
      name: fc.constant(key),
      enabled: fc.constantFrom(true, true, true, true, true, false),
      activation,
      offVariant: fc.constantFrom(variants[1] ?? null, null, variants[0] ?? null),
      rules: fc
        .array(activation, { maxLength: 3 })
        .map((list) => list.map((one, index) => Object.assign({ id: `rule-${index}` }, one))),
      prerequisites: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        fc.array(prerequisite, { maxLength: 2 }),
      ),
      ...(type !== "boolean" && {
        type: fc.constant(type),
        variants: fc.constant(VARIANTS),
      }),
    },
    {
      requiredKeys: ["key", "name", "enabled", "activation", ...(type === "boolean" ? [] : TYPED)],
    },
  );
}

const TYPED = ["type", "variants"] as const;

/** Generates an environment of five flags. Some prerequisites form cycles. */
export const anyFlags: fc.Arbitrary<ClientRule[]> = fc.tuple(
  ...FLAG_KEYS.map((key) =>
    fc.constantFrom("boolean" as const, "json" as const).chain((type) => anyFlag(key, type)),
  ),
);

/** Generates a value that a field may have, most of the type that constraints expect. */
const contextValue = (type: string): fc.Arbitrary<string> => {
  const { context = [] } = FIELDS[type] ?? {};
  return fc.constantFrom(...context, ...context, "", "other");
};

/** Generates a context with ids. */
export const anyContext: fc.Arbitrary<UserContext> = fc.record({
  userId: fc.oneof(
    fc.nat(9999).map((n) => `user-${n}`),
    fc.constantFrom(...TEXTS),
  ),
  sessionId: fc.oneof(
    fc.nat(99).map((n) => `session-${n}`),
    fc.constantFrom(...TEXTS),
  ),
  remoteAddress: fc.constantFrom(...ADDRESSES),
  currentTime: fc
    .constantFrom("2025-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z", "2026-07-01T00:00:00Z")
    .map((text) => new Date(text)),
  properties: fc.record(
    {
      email: contextValue("string"),
      plan: contextValue("string"),
      age: fc.oneof(contextValue("number"), fc.constantFrom(0, 18, -2.5)),
      beta: contextValue("boolean"),
      version: contextValue("semver"),
    },
    { requiredKeys: [] },
  ),
});
