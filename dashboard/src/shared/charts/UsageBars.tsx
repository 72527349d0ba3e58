import { BarChart, ChartTooltip } from "@mantine/charts";
import "@mantine/charts/styles.css";
import { type ComponentProps, useId } from "react";
import { useFormat } from "../i18n/use-format.ts";
import type { UsageParts } from "./usage-parts.ts";
import type { Usage } from "./usage.ts";
import classes from "./UsageChart.module.css";
import { hasManyDays, useTimeLabels } from "./use-time-labels.ts";

/**
 * The bar chart of `UsageChart`. Hidden from screen readers, because `UsageChart` has the same data
 * as a table. Its code loads when the bar chart is first shown, because the chart library is large.
 */
export function UsageBars({ usage, parts }: { usage: Usage; parts: UsageParts }) {
  const { compact } = useFormat();
  const { short } = useTimeLabels(usage);
  const hatch = useId();
  const series = parts.all.map(({ name, label, color }) => ({ name, label, color }));
  const hatched = new Set(parts.all.filter(({ isHatched }) => isHatched).map(({ name }) => name));
  const data = usage.series.map((point) => ({
    at: point.at,
    ...Object.fromEntries(parts.all.map(({ name, count }) => [name, count(point)])),
  }));
  // If the bars are hourly and cover several days, label only the hours that start a day.
  const ticks = hasManyDays(usage)
    ? usage.series.flatMap(({ at }) => (new Date(at).getHours() === 0 ? at : []))
    : undefined;
  return (
    <BarChart
      h={220}
      className={classes.chart}
      data={data}
      dataKey="at"
      type="stacked"
      series={series}
      accessibilityLayer={false}
      valueFormatter={compact}
      barChartProps={{ barCategoryGap: usage.series.length > 100 ? 0 : "15%" }}
      barProps={({ name }) => (hatched.has(name) ? { fill: `url(#${hatch})` } : {})}
      xAxisProps={{ tickFormatter: short, minTickGap: 16, ...(ticks && { ticks }) }}
      yAxisProps={{ allowDecimals: false, width: 48 }}
      tooltipProps={{
        content: <UsageTooltip usage={usage} series={series} />,
      }}
    >
      <defs>
        <pattern
          id={hatch}
          width={5}
          height={5}
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width={5} height={5} className={classes.hatchGround} />
          <rect width={2.5} height={5} className={classes.hatchLine} />
        </pattern>
      </defs>
    </BarChart>
  );
}

interface TooltipProps {
  usage: Usage;
  series: ComponentProps<typeof ChartTooltip>["series"];
  /** `BarChart` sets `label` to the time of the bar, and `payload` to the counts of the bar. */
  label?: string;
  payload?: readonly Record<string, unknown>[];
}

function UsageTooltip({ usage, series, label, payload }: TooltipProps) {
  const { number } = useFormat();
  const { long } = useTimeLabels(usage);
  return (
    <ChartTooltip
      label={label !== undefined && long(label)}
      payload={payload}
      {...(series && { series })}
      valueFormatter={number}
    />
  );
}
