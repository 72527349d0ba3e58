import { POSITIONS } from "@feature-flags/evaluation/position";
import type { Place } from "./dimensions.ts";

/** The number of the condition that always holds: that of a rule without constraints and segments. */
export const ALWAYS = 0;

/** A rule of a strategy, for the comparison of two strategies. */
export interface ChainRule {
  /** The number of the rule's condition. Equal conditions have equal numbers. */
  readonly condition: number;
  /** The index in a `Place` of the position that the roll-out compares with `threshold`. */
  readonly rollOut: number;
  /** The roll-out includes the positions below it. */
  readonly threshold: number;
  /** The index in a `Place` of the position that says which slot of the split decides. */
  readonly split: number;
  /** The ends of the slots in ascending order. */
  readonly ends: readonly number[];
  /** The number of the variant that each slot serves. Equal variants have equal numbers. */
  readonly outcomes: readonly number[];
}

const includes = ({ rollOut, threshold }: ChainRule, place: Place): boolean =>
  threshold === POSITIONS || (place[rollOut] ?? 0) < threshold;

/**
 * Returns the number of the variant that a rule serves at a place. Finds the slot by binary search.
 */
function outcomeOf({ split, ends, outcomes }: ChainRule, place: Place): number {
  let [low, high] = [0, ends.length - 1];
  const position = high > 0 ? (place[split] ?? 0) : 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? POSITIONS) <= position) low = middle + 1;
    else high = middle;
  }
  return outcomes[low] ?? 0;
}

const NOWHERE = 2 ** 30;

/**
 * The ordered rules of one strategy that can decide for one id, up to the first rule whose
 * condition always holds. A rule with the condition of an earlier rule cannot decide. The
 * comparison fills the same object again for every id, so that it allocates little memory.
 */
export class Chain {
  readonly conditions: Int32Array;
  readonly outcomes: Int32Array;
  /** The index of the rule with each condition; `NOWHERE` if there is none. */
  readonly indexOf: Int32Array;
  length = 0;
  readonly #steps: readonly ChainRule[];
  readonly #off: number;

  /** `off`: the number of the variant that is served if no rule decides. */
  constructor(steps: readonly ChainRule[], off: number, conditionCount: number) {
    this.#steps = steps;
    this.#off = off;
    this.conditions = new Int32Array(steps.length + 1);
    this.outcomes = new Int32Array(steps.length + 1);
    this.indexOf = new Int32Array(conditionCount);
  }

  /** Replaces the content with the rules that can decide at a place. */
  fill(place: Place): void {
    this.length = 0;
    this.indexOf.fill(NOWHERE);
    for (const step of this.#steps) {
      if (this.indexOf[step.condition] !== NOWHERE || !includes(step, place)) continue;
      this.#push(step.condition, outcomeOf(step, place));
      if (step.condition === ALWAYS) return;
    }
    this.#push(ALWAYS, this.#off);
  }

  #push(condition: number, outcome: number): void {
    this.indexOf[condition] = this.length;
    this.conditions[this.length] = condition;
    this.outcomes[this.length] = outcome;
    this.length++;
  }
}

/**
 * Whether two chains have different outcomes for at least one combination of conditions. Rule `i`
 * of `before` and rule `j` of `after` decide together if their conditions can hold while the
 * conditions of all rules ahead of them do not.
 */
export function canDiffer(before: Chain, after: Chain): boolean {
  const first = sharedRules(before, after);
  for (let i = first; i < before.length; i++) {
    // Stops at the rule of `after` that has the condition of this rule of `before`. If this rule
    // decides, no later rule of `after` can decide.
    const last = Math.min(after.indexOf[before.conditions[i] ?? ALWAYS] ?? 0, after.length - 1);
    for (let j = first; j <= last; j++)
      if (
        before.outcomes[i] !== after.outcomes[j] &&
        (before.indexOf[after.conditions[j] ?? ALWAYS] ?? 0) >= i
      )
        return true;
  }
  return false;
}

/**
 * Returns the number of equal rules at the start of both chains. These rules have the same outcome
 * in both chains.
 */
function sharedRules(before: Chain, after: Chain): number {
  const length = Math.min(before.length, after.length);
  for (let n = 0; n < length; n++)
    if (before.conditions[n] !== after.conditions[n] || before.outcomes[n] !== after.outcomes[n])
      return n;
  return length;
}
