import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./Diff.module.css";
import { onlyVariant, type ServedWeights, weightChanges } from "./served-weights.ts";
import { Sides } from "./Side.tsx";

const NO_WEIGHTS: ServedWeights = new Map();

interface Props {
  before: ServedWeights | undefined;
  after: ServedWeights | undefined;
}

/** Two variants, or the changed weights of a split, for example `blue 34% → 50%`. */
export function WeightChanges({ before = NO_WEIGHTS, after = NO_WEIGHTS }: Props) {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  const [old, current] = [onlyVariant(before), onlyVariant(after)];
  const isOneVariant = [before, after].every((weights) => weights.size <= 1);
  if (isOneVariant)
    return (
      <Sides before={old} after={current}>
        {(variant) => variant}
      </Sides>
    );
  return (
    <ul className={classes.weights}>
      {weightChanges(before, after).map(({ variant, ...weight }) => (
        <li key={variant}>
          {t("history.weight", {
            variant,
            before: exactPercent(weight.before / 100),
            after: exactPercent(weight.after / 100),
          })}
        </li>
      ))}
    </ul>
  );
}
