import { useTranslation } from "react-i18next";
import type { Strategy } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";

export type Targeting = Pick<Strategy, "percentage" | "constraints" | "segmentIds">;

/**
 * Whether the strategy limits the flag to some users by constraints or segments. The roll-out
 * percentage does not count.
 */
export const isTargeted = ({ constraints, segmentIds }: Targeting): boolean =>
  constraints.length > 0 || segmentIds.length > 0;

/**
 * Returns a function that summarises which users an enabled strategy reaches, for example as `25 %`
 * and `in 1 segment`. The second text is undefined without targeting.
 */
export function useTargetingSummary(): (targeting: Targeting) => {
  percentage: string;
  narrowed: string | undefined;
} {
  const { t } = useTranslation();
  const { percent } = useFormat();
  return (targeting) => {
    const narrowed = () => {
      const count = targeting.segmentIds.length;
      if (!isTargeted(targeting)) return undefined;
      if (count === 0) return t("flags.withConditions", { count: targeting.constraints.length });
      return targeting.constraints.length === 0
        ? t("flags.ofSegments", { count })
        : t("flags.ofSegmentsWithConditions", { count });
    };
    return { percentage: percent(targeting.percentage / 100), narrowed: narrowed() };
  };
}
