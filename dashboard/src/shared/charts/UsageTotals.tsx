import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import type { UsageParts } from "./usage-parts.ts";
import { type Counts, evaluations, shareOf } from "./usage.ts";
import classes from "./UsageChart.module.css";
import { UsageSwatch } from "./UsageSwatch.tsx";

/**
 * The numbers of all evaluations in the time range and of each part, with the share of the part.
 * They are also the legend of the bar chart.
 */
export function UsageTotals({ totals, parts }: { totals: Counts; parts: UsageParts }) {
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
