import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { STRATEGY_FIELDS, type StrategySettings } from "../../shared/strategy/fields.tsx";
import { SegmentConstraints } from "./SegmentConstraints.tsx";
import type { SegmentsById } from "./strategy.ts";
import classes from "./ReadOnlyStrategy.module.css";
import { StrategyValue } from "./StrategyValue.tsx";

interface Props {
  strategy: StrategySettings;
  segments: SegmentsById;
}

/**
 * A read-only view of a strategy and of the constraints of its segments. Shown if the user may not
 * change the strategy, or if the flag is archived.
 */
export function ReadOnlyStrategy({ strategy, segments }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <dl className={classes.list}>
        {STRATEGY_FIELDS.map((field) => (
          <div key={field} className={classes.item}>
            <Text component="dt" size="sm" c="dimmed">
              {t(`strategy.${field}.label`)}
            </Text>
            <dd className={classes.value}>
              <StrategyValue field={field} strategy={strategy} segments={segments} />
            </dd>
          </div>
        ))}
      </dl>
      <SegmentConstraints segmentIds={strategy.segmentIds} segments={segments} />
    </>
  );
}
