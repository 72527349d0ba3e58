import type { RollOutOutcome, RuleOutcome } from "@feature-flags/evaluation/explain";
import { constraintText } from "../../shared/constraints/constraint-text.ts";
import type { Formats } from "../../shared/i18n/formats.ts";
import type { Translate } from "../../shared/i18n/translate.ts";
import { percentOf, placeOf } from "./place.ts";
import type { RuleToExplain } from "./rules-to-explain.ts";

export type Format = Pick<Formats, "either" | "exactPercent" | "number">;

/** Names a rule, for example as `Rule 2: Staff`. */
export function ruleName(t: Translate, { id, number, name }: RuleToExplain): string {
  if (id === undefined) return t("rules.last");
  const rule = t("rules.nth", { number });
  return name === undefined ? rule : t("rules.named", { rule, name });
}

/** Says in one line why a rule has decided, or why it has not. */
export function outcomeText(t: Translate, format: Format, outcome: RuleOutcome): string {
  switch (outcome.result) {
    case "decided":
      return decidedText(t, format, outcome);
    case "condition":
      return failedConditions(t, format, outcome);
    case "percentage":
      return placedText(t, format, outcome.rollOut);
    case "id":
      return missingId(t, format, outcome);
    case "malformed":
      return t("playground.reasons.malformed");
    default:
      return t("playground.reasons.notReached");
  }
}

/** Says which condition is not met, and how many more. */
export function notMetText(t: Translate, conditions: readonly string[]): string {
  const [condition = "", ...others] = conditions;
  return others.length === 0
    ? t("playground.reasons.notMet", { condition })
    : t("playground.reasons.notMetAndMore", { condition, count: others.length });
}

const failedConditions = (t: Translate, format: Format, outcome: RuleOutcome): string =>
  notMetText(t, [
    ...outcome.constraints
      .filter(({ holds }) => !holds)
      .map(({ constraint }) => constraintText(t, constraint, format)),
    ...outcome.segments
      .filter(({ holds }) => !holds)
      .map(({ name }) => t("playground.segment", { name })),
  ]);

function decidedText(t: Translate, format: Format, outcome: RuleOutcome): string {
  const { constraints, segments, rollOut, split } = outcome;
  if (split?.placed)
    return t("playground.reasons.weighted", {
      place: format.number(percentOf(split.placed.position)),
    });
  if (rollOut.rollOut < 100) return placedText(t, format, rollOut);
  return constraints.length + segments.length > 0
    ? t("playground.reasons.match")
    : t("playground.reasons.everyone");
}

function placedText(t: Translate, format: Format, { rollOut, placed }: RollOutOutcome): string {
  const percentage = format.exactPercent(rollOut / 100);
  if (!placed || rollOut <= 0) return t("playground.rollOut.nobody", { percentage });
  const place = format.number(placeOf(rollOut, placed));
  return t("playground.reasons.split", { place, percentage });
}

function missingId(t: Translate, format: Format, { rollOut, split }: RuleOutcome): string {
  const isForRollOut = rollOut.rollOut < 100 && !rollOut.placed;
  const { fields } = isForRollOut || !split ? rollOut : split;
  return t("playground.reasons.noId", { fields: format.either(fields) });
}
