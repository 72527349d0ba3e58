import { useTranslation } from "react-i18next";
import type { Explanation } from "@feature-flags/evaluation/explain";
import { constraintText } from "../../shared/constraints/constraint-text.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";

/**
 * A hook that returns a function, which explains in one line why an evaluation has turned a flag on
 * or off.
 */
export function useReasonText(environment: string): (explanation: Explanation) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const percent = (share: number) => format.percent(share / 100);

  const mismatch = ({ constraints, segments }: Explanation): string => {
    const failed = [
      ...constraints
        .filter(({ holds }) => !holds)
        .map(({ constraint }) => constraintText(t, constraint, format)),
      ...segments
        .filter(({ holds }) => !holds)
        .map(({ name }) => t("playground.segment", { name })),
    ];
    const [condition = "", ...others] = failed;
    return others.length === 0
      ? t("playground.reasons.notMet", { condition })
      : t("playground.reasons.notMetAndMore", { condition, count: others.length });
  };

  return (explanation) => {
    const { verdict, rollOut } = explanation;
    switch (verdict.reason) {
      case "DISABLED":
        return t("playground.reasons.disabled", { environment });
      case "STATIC":
        return t("playground.reasons.static");
      case "TARGETING_MATCH":
        return t("playground.reasons.match");
      case "SPLIT":
        return rollOut.placed && rollOut.rollOut > 0
          ? t("playground.reasons.split", {
              bucket: rollOut.placed.bucket,
              percentage: percent(rollOut.rollOut),
            })
          : t("playground.rollOut.nobody", { percentage: percent(rollOut.rollOut) });
      case "TARGETING_KEY_MISSING":
        return t("playground.reasons.noId", { fields: format.either(rollOut.fields) });
      case "CONSTRAINT_MISMATCH":
        return mismatch(explanation);
      default:
        return verdict.reason;
    }
  };
}
