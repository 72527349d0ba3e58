import type { Constraint } from "@feature-flags/evaluation/rule";

/** One flag with its strategy, as stored in the database. */
export interface FixtureFlag {
  readonly key: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly percentage: number;
  readonly constraints: readonly Constraint[];
  /** The name of the flag's segment; null when it has none. */
  readonly segment: string | null;
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
