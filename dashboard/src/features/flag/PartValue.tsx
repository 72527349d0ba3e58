import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ConstraintList } from "../../shared/constraints/ConstraintList.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { StateBadge } from "./StateBadge.tsx";
import { segmentName } from "./sentence.ts";
import type { SegmentsById, StrategyPart, StrategySettings } from "./strategy.ts";

interface Props {
  part: StrategyPart;
  strategy: StrategySettings;
  segments: SegmentsById;
}

/** One part of a strategy, to be read. */
export function PartValue({ part, strategy, segments }: Props) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  switch (part) {
    case "enabled":
      return <StateBadge isOn={strategy.enabled} />;
    case "percentage":
      return <Text size="sm">{percent(strategy.percentage / 100)}</Text>;
    case "stickiness":
      return <Text size="sm">{strategy.stickiness ?? t("flag.stickinessDefault")}</Text>;
    case "constraints":
      return <ConstraintList constraints={strategy.constraints} empty={t("common.none")} />;
    default:
      return strategy.segmentIds.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("common.none")}
        </Text>
      ) : (
        <Text size="sm">
          {strategy.segmentIds.map((id) => segmentName(id, segments)).join(", ")}
        </Text>
      );
  }
}
