import { useTranslation } from "react-i18next";
import type { Strategy } from "../api/types.ts";
import { useFormat } from "../i18n/use-format.ts";

export type Targeting = Pick<Strategy, "percentage" | "constraints" | "segmentIds">;

/** Whether not everybody is asked: constraints or segments choose. */
export const isTargeted = ({ constraints, segmentIds }: Targeting): boolean =>
  constraints.length > 0 || segmentIds.length > 0;

/** Whom an enabled strategy lets through, in the words of a table: `25 %`, `of a segment`. */
export function useTargetingSummary(): (reach: Targeting) => {
  percentage: string;
  narrowed: string | undefined;
} {
  const { t } = useTranslation();
  const { percent } = useFormat();
  return (reach) => {
    const narrowed = () => {
      const count = reach.segmentIds.length;
      if (!isTargeted(reach)) return undefined;
      if (count === 0) return t("flags.withConditions", { count: reach.constraints.length });
      return reach.constraints.length === 0
        ? t("flags.ofSegments", { count })
        : t("flags.ofSegmentsWithConditions", { count });
    };
    return { percentage: percent(reach.percentage / 100), narrowed: narrowed() };
  };
}
