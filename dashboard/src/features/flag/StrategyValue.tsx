import { Text } from "@mantine/core";
import {
  showField,
  type StrategyField,
  type StrategySettings,
} from "../../shared/strategy/fields.tsx";
import { useFieldDisplay } from "../../shared/strategy/use-field-display.ts";
import { segmentName } from "./strategy-sentence.ts";
import type { SegmentsById } from "./strategy.ts";

interface Props {
  field: StrategyField;
  strategy: StrategySettings;
  segments: SegmentsById;
}

/** A read-only view of the value of one strategy field. */
export function StrategyValue({ field, strategy, segments }: Props) {
  const display = useFieldDisplay((id) => segmentName(id, segments));
  const shown = showField(field, strategy[field], display);
  return typeof shown === "string" ? <Text size="sm">{shown}</Text> : shown;
}
