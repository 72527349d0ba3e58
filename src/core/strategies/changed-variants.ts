import { POSITIONS } from "@feature-flags/evaluation/position";
import { type Slot, toSlots } from "@feature-flags/evaluation/slots";
import { canonicalJson } from "../audit/changed-fields.ts";
import { ALWAYS, canDiffer, Chain, type ChainRule } from "./chain.ts";
import { Dimensions } from "./dimensions.ts";
import type { StoredRule, StrategyContent } from "./strategy.ts";

/** The flag of two strategies that are compared. */
interface ComparedFlag {
  readonly key: string;
  /** The keys of the variants, in order. */
  readonly variants: readonly string[];
  readonly offVariant: string | null;
}

/**
 * Returns the share of ids, 0 to 1, that get another variant after a change of the strategy. An id
 * counts if it gets another variant for at least one combination of conditions that hold. So the
 * share is an upper bound if rules have conditions.
 *
 * Rules with equal constraints and segments have the same condition. Different conditions count as
 * independent. The prerequisites of the flag are ignored.
 *
 * Exact, unless the rules have so many different hashes and slots that a sample is necessary. The
 * error is then about 0.01.
 */
export function changedShareOf(
  flag: ComparedFlag,
  before: StrategyContent,
  after: StrategyContent,
): number {
  const comparison = { flag, names: new Names(), dimensions: new Dimensions() };
  const [oldSteps, newSteps] = [stepsOf(before, comparison), stepsOf(after, comparison)];
  const { names, dimensions } = comparison;
  const off = names.outcome(flag.offVariant);
  const oldChain = new Chain(oldSteps, off, names.conditionCount);
  const newChain = new Chain(newSteps, off, names.conditionCount);
  let moved = 0;
  dimensions.forEachRegion((place, share) => {
    oldChain.fill(place);
    newChain.fill(place);
    if (canDiffer(oldChain, newChain)) moved += share;
  });
  // Rounds, because a sum of shares has rounding errors.
  return Math.round(moved * 1e9) / 1e9;
}

type Rule = StoredRule | StrategyContent;

/** The flag, the numbers of conditions and variants, and the dimensions of a comparison. */
interface Comparison {
  readonly flag: ComparedFlag;
  readonly names: Names;
  readonly dimensions: Dimensions;
}

/**
 * Assigns numbers to conditions and to variants. Equal conditions, or equal variants, get the same
 * number.
 */
class Names {
  readonly #conditions = new Map<string, number>([["", ALWAYS]]);
  readonly #outcomes = new Map<string | null, number>();

  get conditionCount(): number {
    return this.#conditions.size;
  }

  condition({ constraints, segmentIds }: Rule): number {
    const texts = [...constraints.map(canonicalJson), ...segmentIds.map(String)];
    return numberOf(this.#conditions, texts.toSorted().join("\n"));
  }

  outcome(variant: string | null): number {
    return numberOf(this.#outcomes, variant);
  }
}

function numberOf<T>(numbers: Map<T, number>, name: T): number {
  const number = numbers.get(name) ?? numbers.size;
  numbers.set(name, number);
  return number;
}

/** Returns the rules of a strategy that can decide, in order. */
function stepsOf(strategy: StrategyContent, comparison: Comparison): ChainRule[] {
  if (!strategy.enabled) return [];
  const steps: ChainRule[] = [];
  for (const rule of [...strategy.rules, strategy]) {
    const step = toStep(rule, comparison);
    if (step.threshold > 0) steps.push(step);
    if (step.threshold === POSITIONS && step.condition === ALWAYS) break;
  }
  return steps;
}

function toStep(rule: Rule, { flag, names, dimensions }: Comparison): ChainRule {
  const { stickiness, hashKey, splitKey, splitStickiness } = rule;
  const threshold = Math.round(rule.percentage * (POSITIONS / 100));
  const slots = slotsOf(rule, flag);
  const ends = slots.map(([, end]) => end);
  const rollOut = [hashKey ?? flag.key, stickiness];
  const split = [splitKey ?? flag.key, splitStickiness ?? stickiness];
  return {
    condition: names.condition(rule),
    threshold,
    rollOut: dimensions.add(JSON.stringify(["roll-out", ...rollOut]), [threshold]),
    ends,
    outcomes: slots.map(([, , variant]) => names.outcome(variant)),
    split: dimensions.add(JSON.stringify(["split", ...split]), ends),
  };
}

/** Returns the slots of a rule. A rule that serves one variant has one slot. */
function slotsOf({ serve }: Rule, { variants }: ComparedFlag): readonly Slot[] {
  if (serve !== null && "slots" in serve) return toSlots(serve.slots);
  return [[0, POSITIONS, serve?.variant ?? variants[0] ?? ""]];
}
