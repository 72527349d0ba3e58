import { Button, Group, Stack, Text } from "@mantine/core";
import { IconChartBar, IconTable } from "@tabler/icons-react";
import { useState } from "react";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./UsageChart.module.css";
import { UsageSwatch } from "./UsageSwatch.tsx";
import type { UsageParts } from "./usage-parts.ts";
import { UsageBars } from "./UsageBars.tsx";
import { evaluations, shareOf, type Usage, type Counts } from "./usage.ts";
import { UsageTable } from "./UsageTable.tsx";
import { useTimeLabels } from "./use-time-labels.ts";

interface Props {
  usage: Usage;
  parts: UsageParts;
}

/** The totals, a bar chart or a table, and a summary in one sentence. */
export function UsageChart({ usage, parts }: Props) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  const { inRange } = useTimeLabels(usage);
  const [isTable, setTable] = useState(false);
  const { totals, series } = usage;
  const peak = series.toSorted((a, b) => evaluations(b) - evaluations(a))[0];
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start">
        <UsageTotals totals={totals} parts={parts} />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon size={16} stroke={1.75} aria-hidden />}
          onClick={() => setTable(!isTable)}
        >
          {t(isTable ? "insights.asChart" : "insights.asTable")}
        </Button>
      </Group>
      {isTable ? (
        <UsageTable usage={usage} parts={parts} />
      ) : (
        <div aria-hidden>
          <UsageBars usage={usage} parts={parts} />
        </div>
      )}
      {peak && (
        <Text size="sm" c="dimmed">
          {t(usage.interval === "day" ? "insights.summaryByDay" : "insights.summary", {
            count: evaluations(totals),
            formatted: number(evaluations(totals)),
            share: percent(shareOf(parts.summarised.count(totals), totals)),
            result: parts.summarised.inSentence,
            at: inRange(peak.at),
            most: number(evaluations(peak)),
          })}
        </Text>
      )}
    </Stack>
  );
}

/** With the share of each part. They are also the legend of the bar chart. */
function UsageTotals({ totals, parts }: { totals: Counts; parts: UsageParts }) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  return (
    <dl className={classes.totals}>
      <div>
        <dt>{t("insights.evaluations")}</dt>
        <dd>{number(evaluations(totals))}</dd>
      </div>
      {parts.all.map((part) => (
        <div key={part.name}>
          <dt>
            <UsageSwatch part={part} />
            {part.label}
          </dt>
          <dd>
            {number(part.count(totals))}{" "}
            <span className={classes.percent}>{percent(shareOf(part.count(totals), totals))}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
