import { Group, SegmentedControl, Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Environment } from "../api/types.ts";
import { selectOptionsOf } from "../data/select-options.ts";
import { USAGE_RANGES, type UsageRange } from "./usage-ranges.ts";

interface Props {
  environments: readonly Environment[];
  environmentId: number;
  onEnvironment: (id: number) => void;
  range: UsageRange;
  onRange: (range: UsageRange) => void;
}

/** The controls that choose the environment and the time range of a usage chart. */
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
      <Select
        size="sm"
        w="11rem"
        aria-label={t("insights.environment")}
        data={selectOptionsOf(environments)}
        value={String(environmentId)}
        onChange={(id) => id !== null && onEnvironment(Number(id))}
        allowDeselect={false}
        searchable={environments.length > 8}
      />
      <SegmentedControl
        size="sm"
        aria-label={t("insights.period")}
        data={USAGE_RANGES.map((value) => ({ value, label: t(`insights.ranges.${value}`) }))}
        value={range}
        onChange={onRange}
      />
    </Group>
  );
}
