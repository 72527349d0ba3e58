import classes from "./UsageChart.module.css";
import { type Counts, evaluations } from "./usage.ts";

/**
 * A bar whose length is the share of `most`, the largest count; solid for true, hatched for false.
 */
export function UsageShare({ counts, most }: { counts: Counts; most: number }) {
  const total = evaluations(counts);
  return (
    <div className={classes.share} style={{ width: `${(total / most) * 100}%` }}>
      <span className={classes.swatch} data-kind="t" style={{ flexGrow: counts.t }} />
      <span className={classes.swatch} data-kind="f" style={{ flexGrow: counts.f }} />
    </div>
  );
}
