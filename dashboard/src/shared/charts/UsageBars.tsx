import { useElementSize } from "@mantine/hooks";
import { useId, useState } from "react";
import { useFormat } from "../i18n/use-format.ts";
import { ticksUpTo } from "./axis.ts";
import type { UsageParts } from "./usage-parts.ts";
import type { Usage } from "./usage.ts";
import classes from "./UsageBars.module.css";
import chart from "./UsageChart.module.css";
import { UsageSwatch } from "./UsageSwatch.tsx";
import { hasManyDays, useTimeLabels } from "./use-time-labels.ts";

/** The size of the chart and of its edges, pixels. The left edge has room for "900.000" in German. */
const HEIGHT = 220;
const LEFT = 60;
const TOP = 8;
const BOTTOM = 24;
const PLOT = HEIGHT - TOP - BOTTOM;

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
  const { compact } = useFormat();
  const { short } = useTimeLabels(usage);
  const hatch = useId();
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [pointed, setPointed] = useState<number>();
  const { series } = usage;

  const ticks = ticksUpTo(
    Math.max(...series.map((point) => parts.all.reduce((sum, part) => sum + part.count(point), 0))),
  );
  const max = ticks.at(-1) ?? 1;
  const y = (count: number) => TOP + PLOT * (1 - count / max);
  const step = Math.max(0, (width - LEFT) / series.length);
  const gap = series.length > MANY ? 0 : step * 0.15;
  const labels = labelled(usage, Math.ceil(LABEL_WIDTH / Math.max(step, 1)));

  return (
    <div ref={ref} className={`${chart.chart} ${classes.box}`}>
      <svg
        width={width}
        height={HEIGHT}
        onPointerMove={({ nativeEvent: { offsetX } }) => {
          const index = Math.floor((offsetX - LEFT) / step);
          setPointed(index >= 0 && index < series.length ? index : undefined);
        }}
        onPointerLeave={() => setPointed(undefined)}
      >
        <defs>
          <pattern
            id={hatch}
            width={5}
            height={5}
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width={5} height={5} className={chart.hatchGround} />
            <rect width={2.5} height={5} className={chart.hatchLine} />
          </pattern>
        </defs>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} className={classes.line} />
            <text x={LEFT - 8} y={y(tick)} dy="0.32em" textAnchor="end" className={classes.label}>
              {compact(tick)}
            </text>
          </g>
        ))}
        {labels.map((index) => {
          const middle = LEFT + step * (index + 0.5);
          // A centred label there would leave the chart.
          const isAtEdge = middle > width - LABEL_WIDTH / 2;
          return (
            <text
              key={index}
              x={isAtEdge ? width : middle}
              y={HEIGHT - 6}
              textAnchor={isAtEdge ? "end" : "middle"}
              className={classes.label}
            >
              {short(series[index]?.at ?? "")}
            </text>
          );
        })}
        {pointed !== undefined && (
          <rect
            x={LEFT + step * pointed}
            y={TOP}
            width={step}
            height={PLOT}
            className={classes.pointed}
          />
        )}
        {parts.all.map(({ name, color, isHatched, count }, above) => (
          <g key={name} data-part={name} fill={isHatched ? `url(#${hatch})` : color}>
            {series.map((point, index) => {
              const below = parts.all
                .slice(0, above)
                .reduce((sum, part) => sum + part.count(point), 0);
              const value = count(point);
              return (
                value > 0 && (
                  <rect
                    key={point.at}
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

function Details({
  usage,
  parts,
  index,
  left,
  isRight,
}: Props & { index: number; left: number; isRight: boolean }) {
  const { number } = useFormat();
  const { long } = useTimeLabels(usage);
  const point = usage.series[index];
  if (!point) return null;
  return (
    <div className={classes.details} style={{ left }} data-right={isRight || undefined}>
      <strong>{long(point.at)}</strong>
      {parts.all.toReversed().map((part) => (
        <div key={part.name} className={classes.count}>
          <UsageSwatch part={part} />
          <span className={classes.name}>{part.label}</span>
          {number(part.count(point))}
        </div>
      ))}
    </div>
  );
}

/**
 * Returns the indexes of the points with a label, at least `distance` points apart. If the bars are
 * hourly and cover several days, only the hours that start a day have one.
 */
function labelled(usage: Usage, distance: number): readonly number[] {
  const isDaily = hasManyDays(usage);
  const found: number[] = [];
  for (const [index, { at }] of usage.series.entries()) {
    if (isDaily && new Date(at).getHours() !== 0) continue;
    const before = found.at(-1);
    if (before === undefined || index - before >= distance) found.push(index);
  }
  return found;
}
