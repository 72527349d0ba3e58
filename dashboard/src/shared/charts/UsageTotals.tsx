import { useTranslation } from "react-i18next";
import { useFormat } from "../i18n/use-format.ts";
import { type Counts, evaluations, shareTrue } from "./usage.ts";
import classes from "./UsageChart.module.css";

/**
 * The numbers of all, of true and of false evaluations in the time range, with the shares of true
 * and false. They are also the legend of the bar chart.
 */
export function UsageTotals({ totals }: { totals: Counts }) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  const share = shareTrue(totals);
  return (
    <dl className={classes.totals}>
      <div>
        <dt>{t("insights.evaluations")}</dt>
        <dd>{number(evaluations(totals))}</dd>
      </div>
      <div>
        <dt>
          <span className={classes.swatch} data-kind="t" aria-hidden />
          {t("insights.true")}
        </dt>
        <dd>
          {number(totals.t)} <span className={classes.percent}>{percent(share)}</span>
        </dd>
      </div>
      <div>
        <dt>
          <span className={classes.swatch} data-kind="f" aria-hidden />
          {t("insights.false")}
        </dt>
        <dd>
          {number(totals.f)} <span className={classes.percent}>{percent(1 - share)}</span>
        </dd>
      </div>
    </dl>
  );
}
