import type { Segment, Strategy } from "../../shared/api/types.ts";
import { isSameConstraints } from "../../shared/constraints/is-same-constraints.ts";
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
  PARTS.filter((part) => !isSamePart(part, a, b));

export const isSameContent = (a: StrategyContent, b: StrategyContent): boolean =>
  differingParts({ ...a, enabled: true }, { ...b, enabled: true }).length === 0;

function isSamePart(part: StrategyPart, a: StrategySettings, b: StrategySettings): boolean {
  if (part === "constraints") return isSameConstraints(a.constraints, b.constraints);
  if (part === "segmentIds") return sorted(a.segmentIds) === sorted(b.segmentIds);
  return a[part] === b[part];
}

const sorted = (ids: readonly number[]): string => ids.toSorted((x, y) => x - y).join(" ");

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
