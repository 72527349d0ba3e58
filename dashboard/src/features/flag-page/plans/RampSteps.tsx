import { useFormat } from "../../../shared/i18n/use-format.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import type { Schemas } from "../../../shared/api/types.ts";
import classes from "./RampSteps.module.css";
import { progressOf, stepTimes } from "./step-times.ts";

/** The steps of a ramp with their times, and how much of the hold of the present step is over. */
export function RampSteps({ ramp }: { ramp: Schemas["Ramp"] }) {
  const { t } = useTranslation();
  const { exactPercent, dayAndTime } = useFormat();
  const { steps, step, stepAt } = ramp;
  const times = stepTimes(ramp);
  const progress = progressOf(ramp);
  const timeOf = (index: number): string => {
    const at = times[index];
    if (index === step) return t("ramps.since", { at: dayAndTime(stepAt) });
    if (index < step) return t("ramps.over");
    return at === undefined ? t("ramps.later") : dayAndTime(at);
  };
  return (
    <ol className={classes.steps} aria-label={t("ramps.list")}>
      {steps.map(({ exactPercentage }, index) => (
        <li
          // oxlint-disable-next-line react/no-array-index-key -- two steps can have the same percentage, and the steps never change
          key={index}
          data-state={index < step ? "over" : index === step ? "now" : undefined}
          aria-current={index === step ? "step" : undefined}
        >
          <span className={classes.bar} aria-hidden>
            <span
              className={classes.progress}
              style={{ width: `${index < step ? 100 : index === step ? progress * 100 : 0}%` }}
            />
          </span>
          <span className={classes.percentage}>{exactPercent(exactPercentage / 100)}</span>{" "}
          <span className={classes.time}>{timeOf(index)}</span>
        </li>
      ))}
    </ol>
  );
}
