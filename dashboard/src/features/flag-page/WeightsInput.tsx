import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { VariantLabel } from "../../shared/flags/VariantLabel.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { PercentInput } from "./PercentInput.tsx";
import type { ErrorsByPath } from "./strategy-errors.ts";
import classes from "./WeightsInput.module.css";
import { WeightsBar } from "./WeightsBar.tsx";
import {
  evenShares,
  type Shares,
  toPercent,
  toShare,
  toShares,
  toWeights,
  withShare,
} from "./weights.ts";

interface Props {
  /** The keys of the flag's variants, in order. */
  variants: readonly string[];
  color: (variant: string) => string;
  weights: Readonly<Record<string, number>>;
  onChange: (weights: Readonly<Record<string, number>>) => void;
  fieldErrors: ErrorsByPath | undefined;
}

const NO_ERRORS: ErrorsByPath = {};

/** A bar with movable borders, and a percentage for each variant. They add up to 100 %. */
export function WeightsInput({
  variants,
  color,
  weights,
  onChange,
  fieldErrors = NO_ERRORS,
}: Props) {
  const { t } = useTranslation();
  const shares = toShares(variants, weights);
  // The shares before the user began to type in an input. While the user types 50, the input is 5
  // for a moment; this must not change what the other variants get in the end.
  const [before, setBefore] = useState<Shares>();
  const change = (changed: Shares) => onChange(toWeights(variants, changed));
  const general = fieldErrors["weights"] ?? fieldErrors[""];
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t("rules.weights")}</legend>
      <WeightsBar variants={variants} color={color} shares={shares} onChange={change} />
      <ul className={classes.list}>
        {variants.map((variant, index) => (
          <li key={variant} className={classes.row}>
            <VariantLabel color={color(variant)}>{variant}</VariantLabel>
            <PercentInput
              className={classes.input ?? ""}
              aria-label={t("rules.weightOf", { variant })}
              value={toPercent(shares[index] ?? 0)}
              onFocus={() => setBefore(shares)}
              onBlur={() => setBefore(undefined)}
              onChange={(percent) => change(withShare(before ?? shares, index, toShare(percent)))}
              error={fieldErrors[`weights.${variant}`]}
            />
          </li>
        ))}
      </ul>
      {general !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {general}
        </Text>
      )}
      <div className={classes.foot}>
        <Text size="xs" c="dimmed">
          {t("rules.weightsHint")}
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => change(evenShares(variants.length))}
        >
          {t("rules.even")}
        </Button>
      </div>
    </fieldset>
  );
}
