import { type Slot, weightsOf } from "@feature-flags/evaluation/slots";
import { Text } from "@mantine/core";
import type {
  ConstraintOutcome,
  RollOutOutcome,
  RuleOutcome,
  SegmentOutcome,
  SplitOutcome,
} from "@feature-flags/evaluation/explain";
import { conditionText } from "../../shared/constraints/constraint-text.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { Check, CheckList } from "./Check.tsx";
import { isPlacedWithin, placeOf, percentOf } from "./place.ts";
import type { RuleToExplain } from "./rules-to-explain.ts";
import classes from "./RuleChecks.module.css";

interface Props {
  rule: RuleToExplain;
  color: (variant: string) => string;
}

/** The checks of one rule: each constraint, each segment, the roll-out and the weighted split. */
export function RuleChecks({ rule: { outcome, slots }, color }: Props) {
  return (
    <>
      <Constraints outcomes={outcome.constraints} />
      {outcome.segments.map((segment, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the order of a rule's segments does not change while they are shown
        <Segment key={index} segment={segment} />
      ))}
      <RollOut rollOut={outcome.rollOut} />
      {outcome.split && slots && <SplitCheck split={outcome.split} slots={slots} color={color} />}
    </>
  );
}

function Constraints({ outcomes }: { outcomes: RuleOutcome["constraints"] }) {
  return outcomes.map((outcome, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- constraints have no id, and their order does not change while they are shown
    <ConstraintCheck key={index} outcome={outcome} />
  ));
}

function ConstraintCheck({ outcome }: { outcome: ConstraintOutcome }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { constraint, value, holds } = outcome;
  return (
    <Check
      isMet={holds}
      outcome={holds ? t("playground.met") : t("playground.notMet")}
      detail={
        value === undefined
          ? t("playground.missing", { field: constraint.field })
          : t("playground.has", { value: String(value) })
      }
    >
      <Text span inherit fw={600}>
        {constraint.field}
      </Text>{" "}
      {conditionText(t, constraint, format)}
    </Check>
  );
}

function Segment({ segment: { name, constraints, holds } }: { segment: SegmentOutcome }) {
  const { t } = useTranslation();
  return (
    <Check
      isMet={holds}
      outcome={holds ? t("playground.met") : t("playground.notMet")}
      detail={
        constraints.length === 0 ? (
          t("playground.segmentEmpty")
        ) : (
          <CheckList>
            <Constraints outcomes={constraints} />
          </CheckList>
        )
      }
    >
      {name === "" ? t("playground.segmentGone") : t("playground.inSegment", { name })}
    </Check>
  );
}

function RollOut({ rollOut: outcome }: { rollOut: RollOutOutcome }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { rollOut, fields, placed } = outcome;
  const percentage = format.exactPercent(rollOut / 100);
  if (rollOut >= 100) return <Check isMet>{t("playground.rollOut.all", { percentage })}</Check>;
  if (rollOut <= 0)
    return <Check isMet={false}>{t("playground.rollOut.nobody", { percentage })}</Check>;
  if (!placed)
    return (
      <Check isMet={false}>
        {t("playground.rollOut.noId", { percentage, fields: format.either(fields) })}
      </Check>
    );
  const isIn = isPlacedWithin(rollOut, placed);
  const { field, id } = placed;
  return (
    <Check
      isMet={isIn}
      outcome={isIn ? t("playground.rollOut.in") : t("playground.rollOut.out")}
      detail={t("playground.rollOut.placed", {
        field,
        id,
        place: format.number(placeOf(rollOut, placed)),
      })}
    >
      {t("playground.rollOut.share", { percentage })}
    </Check>
  );
}

interface SplitCheckProps {
  split: SplitOutcome;
  slots: readonly Slot[];
  color: (variant: string) => string;
}

/** The check of a weighted split: the weights, and the place of the id with its variant. */
function SplitCheck({ split: { fields, placed }, slots, color }: SplitCheckProps) {
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
