import { useElementSize } from "@mantine/hooks";
import { useState } from "react";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { timeZone } from "../schedule/local-time.ts";
import { ticksUpTo, timeMarks } from "./axis.ts";
import type { UsageParts } from "./usage-parts.ts";
import type { Usage } from "./usage.ts";
import classes from "./UsageBars.module.css";
import chart from "./UsageChart.module.css";
import { UsageSwatch } from "./UsageSwatch.tsx";
import { useTimeLabels } from "./use-time-labels.ts";

/**
 * The size of the chart and of its edges, pixels. The left edge has room for "900.000" in German, the upper one
 * for the title of the axis and for marks above the bars, and the lower one for hours, days and a title.
 */
const HEIGHT = 272;
const LEFT = 60;
const TOP = 36;
const BOTTOM = 60;
const PLOT = HEIGHT - TOP - BOTTOM;
const LINE = 16;

/** The least distance between two labels of the time axis, pixels. */
const LABEL_WIDTH = 64;

/** With more bars than this, no space is left between them. */
const MANY = 100;

interface Props {
  usage: Usage;
  parts: UsageParts;
}

/** Hidden from screen readers, because `UsageChart` has the same data as a table. */
export function UsageBars({ usage, parts }: Props) {
  const { t } = useTranslation();
  const { compact } = useFormat();
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [pointed, setPointed] = useState<number>();
  const { series, interval } = usage;

  const ticks = ticksUpTo(
    Math.max(...series.map((point) => parts.all.reduce((sum, part) => sum + part.count(point), 0))),
  );
  const max = ticks.at(-1) ?? 1;
  const y = (count: number) => TOP + PLOT * (1 - count / max);
  const step = Math.max(0, (width - LEFT) / series.length);
  const gap = series.length > MANY ? 0 : step * 0.15;
  const point = (offsetX: number) => {
    const index = Math.floor((offsetX - LEFT) / step);
    setPointed(index >= 0 && index < series.length ? index : undefined);
  };

  return (
    <div ref={ref} className={`${chart.chart} ${classes.box}`} style={{ height: HEIGHT }}>
      <svg
        width={width}
        height={HEIGHT}
        onPointerDown={({ nativeEvent }) => point(nativeEvent.offsetX)}
        onPointerMove={({ nativeEvent }) => point(nativeEvent.offsetX)}
        onPointerLeave={() => setPointed(undefined)}
      >
        <text x={0} y={LINE} className={classes.label}>
          {t(interval === "day" ? "insights.perDay" : "insights.perHour")}
        </text>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} className={classes.line} />
            <text x={LEFT - 8} y={y(tick)} dy="0.32em" textAnchor="end" className={classes.label}>
              {compact(tick)}
            </text>
          </g>
        ))}
        <TimeAxis usage={usage} step={step} width={width} />
        {pointed !== undefined && (
          <rect
            x={LEFT + step * pointed}
            y={TOP}
            width={step}
            height={PLOT}
            className={classes.pointed}
          />
        )}
        {parts.all.map(({ name, color, count }, above) => (
          <g key={name} data-part={name} fill={color}>
            {series.map((at, index) => {
              const below = parts.all
                .slice(0, above)
                .reduce((sum, part) => sum + part.count(at), 0);
              const value = count(at);
              return (
                value > 0 && (
                  <rect
                    key={at.at}
                    x={LEFT + step * index + gap / 2}
                    y={y(below + value)}
                    width={step - gap}
                    height={y(below) - y(below + value)}
                  />
                )
              );
            })}
          </g>
        ))}
      </svg>
      {pointed !== undefined && (
        <Details
          usage={usage}
          parts={parts}
          index={pointed}
          left={LEFT + step * (pointed + 0.5)}
          isRight={pointed > series.length / 2}
        />
      )}
    </div>
  );
}

/** The labels below the bars: a line of hours, if there is room, a line of days, and the title. */
function TimeAxis({ usage, step, width }: { usage: Usage; step: number; width: number }) {
  const { t } = useTranslation();
  const { hour, day } = useTimeLabels(usage.interval);
  const { interval, series } = usage;
  const times = series.map(({ at }) => at);
  const marks = timeMarks(times, interval, Math.ceil(LABEL_WIDTH / Math.max(step, 1)));
  const bottom = TOP + PLOT;
  return (
    <>
      {marks.map(({ index, hasHour, hasDay }) => {
        const at = times[index] ?? "";
        const middle = LEFT + step * (index + 0.5);
        // A centred label there would leave the chart.
        const isAtEdge = middle > width - LABEL_WIDTH / 2;
        const place = {
          x: isAtEdge ? width : middle,
          textAnchor: isAtEdge ? "end" : "middle",
          className: classes.label,
        } as const;
        return (
          <g key={index}>
            {hasHour && (
              <text {...place} y={bottom + LINE}>
                {hour(at)}
              </text>
            )}
            {hasDay && (
              <text {...place} y={bottom + (hasHour ? 2 : 1) * LINE}>
                {day(at)}
              </text>
            )}
          </g>
        );
      })}
      <text x={width} y={HEIGHT - 6} textAnchor="end" className={classes.label}>
        {interval === "day" ? t("insights.day") : t("insights.hourIn", { zone: timeZone() })}
      </text>
    </>
  );
}

function Details({
  usage,
  parts,
  index,
  left,
  isRight,
}: Props & { index: number; left: number; isRight: boolean }) {
  const { number } = useFormat();
  const { long } = useTimeLabels(usage.interval);
  const point = usage.series[index];
  if (!point) return null;
  return (
    <div className={classes.details} style={{ left }} data-right={isRight || undefined}>
      <strong>{long(point.at)}</strong>
      {parts.all.toReversed().map((part) => (
        <div key={part.name} className={classes.count}>
          <UsageSwatch color={part.color} />
          <span className={classes.name}>{part.label}</span>
          {number(part.count(point))}
        </div>
      ))}
    </div>
  );
}
