import type { Strategy } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";

export type Targeting = Pick<Strategy, "exactPercentage" | "constraints" | "segmentIds" | "rules">;

/** By constraints or segments. The roll-out percentage does not count. */
export const isTargeted = ({ constraints, segmentIds }: Targeting): boolean =>
  constraints.length > 0 || segmentIds.length > 0;

/**
 * Returns a function that summarises which users an enabled strategy reaches, in two texts such as
 * `25 %` and `in 1 segment`. The first text only counts the ordered rules, if there are any. The
 * second text is undefined if the strategy has no constraints and no segments.
 */
export function useTargetingSummary(): (targeting: Targeting) => {
  reach: string;
  narrowed: string | undefined;
} {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  return (targeting) => {
    const { exactPercentage, rules } = targeting;
    const narrowed = () => {
      const count = targeting.segmentIds.length;
      if (!isTargeted(targeting) || rules.length > 0) return undefined;
      if (count === 0) return t("flags.withConditions", { count: targeting.constraints.length });
      return targeting.constraints.length === 0
        ? t("flags.ofSegments", { count })
        : t("flags.ofSegmentsWithConditions", { count });
    };
    const reach =
      rules.length > 0
        ? t("flags.withRules", { count: rules.length })
        : exactPercent(exactPercentage / 100);
    return { reach, narrowed: narrowed() };
  };
}
