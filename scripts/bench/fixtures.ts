import type { Constraint } from "@feature-flags/evaluation/rule";

/** One flag with its strategy, as the database holds it. */
export interface FixtureFlag {
  readonly key: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly percentage: number;
  readonly constraints: readonly Constraint[];
  /** Name of the one segment, if any. */
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
 * Flags as teams have them: nine of ten are on, all have a roll-out and one `in` constraint, every
 * fifth has a segment of three constraints as well.
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

/** The context that is evaluated: it holds for most constraints, so that roll-outs are reached. */
export const context = {
  targetingKey: "user-7f3c9a2e",
  country: "de",
  age: 34,
  appVersion: "2.11.4",
  plan: "business",
};
