import type { Constraint, Segment, Strategy } from "../../shared/api/types.ts";
import { isProduction } from "../../shared/data/environments.ts";

/** What the form edits; on and off has its switch. */
export type StrategyContent = Pick<
  Strategy,
  "percentage" | "constraints" | "segmentIds" | "stickiness"
>;

/** All that decides who gets a flag. */
export type StrategySettings = StrategyContent & Pick<Strategy, "enabled">;

export type SegmentsById = ReadonlyMap<number, Segment>;

export const contentOf = (strategy: StrategyContent): StrategyContent => ({
  percentage: strategy.percentage,
  constraints: strategy.constraints,
  segmentIds: strategy.segmentIds,
  stickiness: strategy.stickiness,
});

/** The parts of a strategy, in the order in which they are told. */
export const PARTS = [
  "enabled",
  "percentage",
  "stickiness",
  "constraints",
  "segmentIds",
] as const satisfies readonly (keyof StrategySettings)[];

export type StrategyPart = (typeof PARTS)[number];

/** What differs in effect: neither the order of segments nor a `false` that could be left out does. */
export const differingParts = (a: StrategySettings, b: StrategySettings): StrategyPart[] =>
  PARTS.filter((part) => canonical(part, a) !== canonical(part, b));

export const isSameContent = (a: StrategyContent, b: StrategyContent): boolean =>
  differingParts({ ...a, enabled: true }, { ...b, enabled: true }).length === 0;

function canonical(part: StrategyPart, settings: StrategySettings): string {
  if (part === "segmentIds") return JSON.stringify(settings.segmentIds.toSorted((a, b) => a - b));
  if (part === "constraints") return JSON.stringify(settings.constraints.map(canonicalConstraint));
  return JSON.stringify(settings[part]);
}

const canonicalConstraint = (constraint: Constraint) => [
  constraint.field,
  constraint.operator,
  constraint.values,
  constraint.contextType,
  constraint.caseInsensitive === true,
  constraint.inverted === true,
];

/** What a strategy is compared with, unless somebody chose: production, where it matters most. */
export function counterpartOf(
  strategies: readonly Strategy[],
  left: Strategy,
  chosen: number | undefined,
): Strategy | undefined {
  const others = strategies.filter(({ environmentId }) => environmentId !== left.environmentId);
  return (
    others.find(({ environmentId }) => environmentId === chosen) ??
    others.find(({ environmentName }) => isProduction({ name: environmentName })) ??
    others[0]
  );
}
