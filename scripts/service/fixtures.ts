import type { Constraint, Serve } from "@feature-flags/evaluation/rule";
import { slotsOf } from "@feature-flags/evaluation/slots";
import { NEW_RULE, type StoredRule } from "../../src/core/strategies/strategy.ts";

/** One flag with its strategy, as stored in the database. */
export interface FixtureFlag {
  readonly key: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly percentage: number;
  readonly constraints: readonly Constraint[];
  /** The name of the flag's segment; null when it has none. */
  readonly segment: string | null;
  /**
   * The values, ordered rules and prerequisites; undefined for a boolean flag without ordered
   * rules.
   */
  readonly values?: FixtureValues;
}

/** The parts of a flag that a boolean flag without ordered rules does not have. */
interface FixtureValues {
  readonly valueType: "json";
  readonly variants: readonly { readonly key: string; readonly value: unknown }[];
  readonly offVariant: null;
  readonly serve: Serve;
  readonly rules: readonly StoredRule[];
}

export const SEGMENT = "early-adopters";

const COUNTRIES = ["de", "fr", "it", "us", "jp", "nl", "pl", "se"];

const inCountry = (index: number): Constraint => ({
  field: "country",
  operator: "in",
  values: COUNTRIES.slice(0, 3 + (index % 5)),
  contextType: "string",
});

export const segmentConstraints: readonly Constraint[] = [
  inCountry(4),
  { field: "age", operator: "gte", values: ["21"], contextType: "number" },
  { field: "appVersion", operator: "gte", values: ["2.3.0"], contextType: "semver" },
];

/**
 * Makes realistic flags: 90 % are on, all have a percentage and one `in` constraint, and every
 * fifth also has a segment with three constraints.
 */
export function fixtureFlags(count: number): FixtureFlag[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `team-${index % 12}.feature-${index}`,
    name: `Feature ${index} of team ${index % 12}`,
    enabled: index % 10 !== 9,
    percentage: 5 + ((index * 17) % 96),
    constraints: [inCountry(index)],
    segment: index % 5 === 0 ? SEGMENT : null,
  }));
}

/** The defaults of an ordered rule, as the database stores them. */
const NO_OPTIONS = { ...NEW_RULE, exactPercentage: null };

/** A value of about `bytes` of JSON: the settings of a page with its links. */
function settings(index: number, bytes: number) {
  const href = `https://shop.example.com/pages/${index}`;
  const link = () => ({ href, label: "Read more", weight: 0.25 });
  const length = Math.max(0, Math.round((bytes - 60) / (JSON.stringify(link()).length + 1)));
  return { columns: 1 + (index % 3), isWide: index % 2 === 0, links: Array.from({ length }, link) };
}

interface ValueOptions {
  /** The size of a value, bytes of JSON. */
  readonly valueBytes: number;
  /** How many ordered rules each generated flag gets. */
  readonly rules: number;
}

/** Makes flags with two variants, ordered rules with one constraint each, and a weighted split. */
export function fixtureFlagsWithValues(
  count: number,
  { valueBytes, rules }: ValueOptions,
): FixtureFlag[] {
  return fixtureFlags(count).map((flag, index) => {
    const ordered = Array.from({ length: rules }, (_, n) =>
      Object.assign({}, NO_OPTIONS, {
        id: `rule${n}`.padEnd(8, "x"),
        name: null,
        percentage: 10 * (n + 1),
        constraints: [inCountry(index + n)],
        serve: { variant: n % 2 === 0 ? "treatment" : "control" },
      }),
    );
    const values: FixtureValues = {
      valueType: "json",
      variants: ["control", "treatment"].map((key, n) => ({
        key,
        value: settings(index + n, valueBytes),
      })),
      offVariant: null,
      serve: {
        slots: slotsOf([
          ["control", 80],
          ["treatment", 20],
        ]),
      },
      rules: ordered,
    };
    return Object.assign(flag, { values });
  });
}

/**
 * The evaluation context of the benchmark. It meets most constraints, so that evaluation reaches
 * the percentage.
 */
export const context = {
  targetingKey: "user-7f3c9a2e",
  country: "de",
  age: 34,
  appVersion: "2.11.4",
  plan: "business",
};
