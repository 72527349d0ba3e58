import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./UsageChart.module.css";
import { resultParts } from "./usage-parts.ts";
import { type Counts, evaluations } from "./usage.ts";
import { UsageSwatch } from "./UsageSwatch.tsx";

/**
 * A horizontal bar for a number of evaluations, solid for true and hatched for false. The length of
 * the bar is proportional to the number of evaluations. With `most` evaluations, the bar has full
 * length.
 */
export function UsageShare({ counts, most }: { counts: Counts; most: number }) {
  const { t } = useTranslation();
  const total = evaluations(counts);
  return (
    <div className={classes.share} style={{ width: `${(total / most) * 100}%` }}>
      {resultParts(t).all.map((part) => (
        <UsageSwatch key={part.name} part={part} style={{ flexGrow: part.count(counts) }} />
      ))}
    </div>
  );
}
