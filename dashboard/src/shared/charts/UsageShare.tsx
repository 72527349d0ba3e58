import classes from "./UsageChart.module.css";
import { type Counts, evaluations } from "./usage.ts";

/**
 * A horizontal bar for a number of evaluations, solid for true and hatched for false. The length of
 * the bar is proportional to the number; `most` is the number with the full length.
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
