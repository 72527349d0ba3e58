import { Input, NumberInput, Slider } from "@mantine/core";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../shared/i18n/use-format.ts";
import classes from "./StrategyFields.module.css";

/**
 * The percentages at which the roll-out slider stops. The number input beside the slider accepts
 * every whole percentage from 0 to 100.
 */
const STEPS = [1, 25, 50, 100];

interface Props {
  value: number;
  onChange: (percentage: number) => void;
  error: string | undefined;
}

export function RollOutInput({ value, onChange, error }: Props) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const id = useId();
  // The text of the number input while that text is not a number, for example while it is empty.
  const [unfinished, setUnfinished] = useState<string>();
  return (
    <Input.Wrapper
      label={t("strategy.percentage.label")}
      description={t("strategy.percentage.hint")}
      error={error}
      labelProps={{ htmlFor: id }}
    >
      <div className={classes.rollOut}>
        <Slider
          className={classes.slider}
          classNames={{ markLabel: classes.mark ?? "" }}
          value={value}
          onChange={onChange}
          marks={STEPS.map((step) => ({ value: step, label: percent(step / 100) }))}
          restrictToMarks
          label={percent(value / 100)}
          thumbLabel={t("flag.rollOutSteps")}
          thumbValueText={percent(value / 100)}
          thumbSize={22}
        />
        <NumberInput
          id={id}
          className={classes.percentage}
          value={unfinished ?? value}
          onChange={(typed) => {
            setUnfinished(typeof typed === "number" ? undefined : typed);
            if (typeof typed === "number") onChange(typed);
          }}
          onBlur={() => setUnfinished(undefined)}
          min={0}
          max={100}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          suffix={percent(0).replace("0", "")}
          error={error !== undefined}
        />
      </div>
    </Input.Wrapper>
  );
}
