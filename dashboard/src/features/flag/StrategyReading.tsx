import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { PartValue } from "./PartValue.tsx";
import { SegmentPeek } from "./SegmentPeek.tsx";
import { PARTS, type SegmentsById, type StrategySettings } from "./strategy.ts";
import classes from "./StrategyReading.module.css";

interface Props {
  strategy: StrategySettings;
  segments: SegmentsById;
}

/** A strategy for whoever may not change it. */
export function StrategyReading({ strategy, segments }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <dl className={classes.list}>
        {PARTS.map((part) => (
          <div key={part} className={classes.item}>
            <Text component="dt" size="sm" c="dimmed">
              {t(`flag.parts.${part}`)}
            </Text>
            <dd className={classes.value}>
              <PartValue part={part} strategy={strategy} segments={segments} />
            </dd>
          </div>
        ))}
      </dl>
      <SegmentPeek segmentIds={strategy.segmentIds} segments={segments} />
    </>
  );
}
