import type { Explanation, RuleOutcome } from "@feature-flags/evaluation/explain";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { Slot } from "@feature-flags/evaluation/slots";

/** A rule of a flag with its outcome for one evaluation context. */
export interface RuleToExplain {
  /** The id of an ordered rule. Undefined for the last rule: the strategy's own fields. */
  readonly id: string | undefined;
  /** The place of the rule, starting at 1. */
  readonly number: number;
  /** The name of an ordered rule. Undefined if the rule has none. */
  readonly name: string | undefined;
  readonly outcome: RuleOutcome;
  /** The slots of a weighted split. Undefined for a rule that serves one variant. */
  readonly slots: readonly Slot[] | undefined;
}

/** Returns the rules of a flag in the order in which the evaluation tries them. */
export function rulesToExplain(
  { rules = [], activation }: ClientRule,
  explanation: Explanation,
  names: ReadonlyMap<string, string>,
): RuleToExplain[] {
  const ordered = explanation.rules.map((outcome, index) => ({
    id: outcome.id,
    number: index + 1,
    name: names.get(outcome.id),
    outcome,
    slots: rules[index]?.slots,
  }));
  const last = {
    id: undefined,
    number: ordered.length + 1,
    name: undefined,
    outcome: explanation,
    slots: activation.slots,
  };
  return [...ordered, last];
}
