import { Button, Group, Stack } from "@mantine/core";
import { IconChartBar, IconDownload, IconTable } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Environment } from "../api/types.ts";
import { projectsQuery } from "../data/projects.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { saveText } from "../save-text.ts";
import { usageCsv, usageFileName } from "./usage-csv.ts";
import type { UsageParts } from "./usage-parts.ts";
import type { Usage } from "./usage.ts";
import { UsageChart } from "./UsageChart.tsx";
import classes from "./UsageChart.module.css";

interface Props {
  projectId: number;
  /** The environments of the project, for their names. */
  environments: readonly Environment[];
  /** One for each shown environment. They have the same hours or days. */
  usages: readonly [Usage, ...Usage[]];
  parts: UsageParts;
  /** The key of the flag, for the file name. Undefined: the usage is that of all flags. */
  flagKey?: string;
  /** The words at the left of the buttons. */
  note?: ReactNode;
}

/** Usage charts of the environments side by side, which become tables or a CSV file. */
export function UsagePanel({ projectId, environments, usages, parts, flagKey, note }: Props) {
  const { t } = useTranslation();
  const { data: projects } = useQuery(projectsQuery);
  const [isTable, setTable] = useState(false);
  const nameOf = (id: number | null) =>
    environments.find((environment) => environment.id === id)?.name ?? "";
  const save = () => {
    const project = projects?.find(({ id }) => id === projectId)?.name ?? String(projectId);
    const names = [
      project,
      ...(flagKey === undefined ? [] : [flagKey]),
      ...usages.map(({ environmentId }) => nameOf(environmentId)),
    ];
    saveText(usageFileName(names, usages[0]), usageCsv(t, usages, parts, nameOf));
  };
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        {note ?? <span />}
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon size={16} stroke={1.75} aria-hidden />}
            onClick={() => setTable(!isTable)}
          >
            {t(isTable ? "insights.asChart" : "insights.asTable")}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
            onClick={save}
          >
            {t("insights.export")}
          </Button>
        </Group>
      </Group>
      <div className={classes.charts}>
        {usages.map((usage) => (
          <UsageChart
            key={usage.environmentId}
            usage={usage}
            parts={parts}
            title={usages.length > 1 ? nameOf(usage.environmentId) : undefined}
            isTable={isTable}
          />
        ))}
      </div>
    </Stack>
  );
}
