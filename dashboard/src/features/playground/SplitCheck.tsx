import type { SplitOutcome } from "@feature-flags/evaluation/explain";
import { type Slot, weightsOf } from "@feature-flags/evaluation/slots";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { Check } from "./Check.tsx";
import { percentOf } from "./place.ts";
import classes from "./SplitCheck.module.css";

interface Props {
  split: SplitOutcome;
  slots: readonly Slot[];
  color: (variant: string) => string;
}

/** The check of a weighted split: the weights, and the place of the id with its variant. */
export function SplitCheck({ split: { fields, placed }, slots, color }: Props) {
  const { t } = useTranslation();
  const { exactPercent, either, list, number } = useFormat();
  const weights = list(
    weightsOf(slots).map(([variant, percent]) => `${variant} ${exactPercent(percent / 100)}`),
  );
  if (!placed)
    return (
      <Check isMet={false}>{t("playground.split.noId", { weights, fields: either(fields) })}</Check>
    );
  const { field, id, position } = placed;
  const place = number(percentOf(position));
  const variant = slots.find(([, end]) => position < end)?.[2];
  return (
    <Check
      isMet
      outcome={variant}
      detail={
        <>
          {t("playground.rollOut.placed", { field, id, place })}
          <span className={classes.bar} aria-hidden>
            {slots.map(([start, end, key]) => (
              <span
                key={start}
                className={classes.slot}
                style={{ flexGrow: end - start, backgroundColor: color(key) }}
              />
            ))}
            <span
              className={classes.mark}
              style={{ insetInlineStart: `${percentOf(position)}%` }}
            />
          </span>
        </>
      }
    >
      {t("playground.split.weights", { weights })}
    </Check>
  );
}
