import type { Explanation } from "@feature-flags/evaluation/explain";
import { prerequisiteText } from "../../shared/flags/prerequisite-text.ts";
import type { Translate } from "../../shared/i18n/translate.ts";
import { type Format, notMetText, outcomeText, ruleName } from "./rule-text.ts";
import type { RuleToExplain } from "./rules-to-explain.ts";

/** The evaluation of a flag, with what the explanation in one line needs. */
interface Evaluated {
  readonly explanation: Explanation;
  readonly rules: readonly RuleToExplain[];
  /** Whether the flag is switched on in the environment. */
  readonly isEnabled: boolean;
  readonly environment: string;
  /** Returns the name of a required flag. */
  readonly flagName: (key: string) => string;
}

/** Explains in one line the result of an evaluation. */
export function reasonText(t: Translate, format: Format, evaluated: Evaluated): string {
  const { explanation, rules, isEnabled, environment, flagName } = evaluated;
  const { verdict, prerequisites } = explanation;
  if (!isEnabled) return t("playground.reasons.disabled", { environment });
  if (verdict.reason === "STATIC" && verdict.enabled && rules.length === 1)
    return t("playground.reasons.static");
  if (verdict.reason !== "PREREQUISITE_FAILED") return rulesText(t, format, rules);
  const failed = prerequisites.filter(({ holds }) => !holds);
  return notMetText(
    t,
    failed.map(({ prerequisite: one }) => prerequisiteText(t, format, one, flagName(one.flagKey))),
  );
}

/**
 * Explains the result of the rules of a flag. If several rules were tried, names the one that
 * matters most.
 */
function rulesText(t: Translate, format: Format, rules: readonly RuleToExplain[]): string {
  const decisive =
    rules.find(({ outcome }) => ["decided", "malformed"].includes(outcome.result)) ??
    rules.find(({ outcome }) => outcome.result === "id") ??
    (rules.length === 1 ? rules[0] : undefined);
  if (!decisive) return t("playground.reasons.noRule", { count: rules.length });
  const outcome = outcomeText(t, format, decisive.outcome);
  return rules.length === 1
    ? outcome
    : t("playground.ruleOutcome", { rule: ruleName(t, decisive), outcome });
}
