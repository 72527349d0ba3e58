import { Text } from "@mantine/core";
import { showField, type StrategyField } from "../../shared/strategy/fields.tsx";
import type { StrategySettings } from "../../shared/strategy/settings.ts";
import { useRuleWords } from "../../shared/strategy/use-rule-words.ts";
import { segmentName, type SegmentsById } from "../../shared/strategy/segments-by-id.ts";

interface Props {
  field: StrategyField;
  strategy: StrategySettings;
  segments: SegmentsById;
}

export function StrategyValue({ field, strategy, segments }: Props) {
  const words = useRuleWords((id) => segmentName(id, segments));
  const shown = showField(field, strategy[field], words);
  return typeof shown === "string" ? <Text size="sm">{shown}</Text> : shown;
}
