import { Text } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { fieldsOf } from "../../shared/strategy/fields.tsx";
import type { StrategySettings } from "../../shared/strategy/settings.ts";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { SegmentConstraints } from "./SegmentConstraints.tsx";
import classes from "./ReadOnlyStrategy.module.css";
import { StrategyValue } from "./StrategyTable.tsx";

interface Props {
  strategy: StrategySettings;
  segments: SegmentsById;
}

/** Shown if the user may not change the strategy, or if the flag is archived. */
export function ReadOnlyStrategy({ strategy, segments }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <dl className={classes.list}>
        {fieldsOf([strategy]).map((field) => (
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
