import { Group, SegmentedControl } from "@mantine/core";
import type { Environment } from "../api/types.ts";
import { EnvironmentSelect } from "../environments/EnvironmentSelect.tsx";
import { useTranslation } from "../i18n/use-translation.ts";
import { USAGE_RANGES, type UsageRange } from "./usage-ranges.ts";

interface RangeProps {
  range: UsageRange;
  onRange: (range: UsageRange) => void;
}

interface Props extends RangeProps {
  environments: readonly Environment[];
  environmentId: number;
  onEnvironment: (id: number) => void;
}

export function UsageControls({
  environments,
  environmentId,
  onEnvironment,
  range,
  onRange,
}: Props) {
  const { t } = useTranslation();
  return (
    <Group gap="xs">
      <EnvironmentSelect
        w="11rem"
        aria-label={t("insights.environment")}
        environments={environments}
        value={environmentId}
        onChange={onEnvironment}
      />
      <RangeControl range={range} onRange={onRange} />
    </Group>
  );
}

export function RangeControl({ range, onRange }: RangeProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="sm"
      aria-label={t("insights.period")}
      data={USAGE_RANGES.map((value) => ({ value, label: t(`insights.ranges.${value}`) }))}
      value={range}
      onChange={onRange}
    />
  );
}
