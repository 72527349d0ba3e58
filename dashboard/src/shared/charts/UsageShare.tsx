import classes from "./UsageChart.module.css";
import { type Counts, evaluations } from "./usage.ts";

/** A bar as long as its share of `most`; solid what was true, hatched what was false. */
export function UsageShare({ counts, most }: { counts: Counts; most: number }) {
  const all = evaluations(counts);
  return (
    <div className={classes.share} style={{ width: `${(all / most) * 100}%` }}>
      <span className={classes.swatch} data-kind="t" style={{ flexGrow: counts.t }} />
      <span className={classes.swatch} data-kind="f" style={{ flexGrow: counts.f }} />
    </div>
  );
}
