import classes from "./UsageChart.module.css";
import type { UsageParts } from "./usage-parts.ts";
import { type Counts, evaluations } from "./usage.ts";
import { UsageSwatch } from "./UsageSwatch.tsx";

interface Props {
  counts: Counts;
  parts: UsageParts;
  /** The number of evaluations with which the bar has full length. */
  most: number;
}

/** A horizontal bar for a number of evaluations, divided into the parts. */
export function UsageShare({ counts, parts, most }: Props) {
  return (
    <div className={classes.share} style={{ width: `${(evaluations(counts) / most) * 100}%` }}>
      {parts.all.map(({ name, color, count }) => (
        <UsageSwatch key={name} color={color} style={{ flexGrow: count(counts) }} />
      ))}
    </div>
  );
}
