import { Input, Slider } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { WithHelp } from "../../shared/ui/HelpButton.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { PercentInput } from "./PercentInput.tsx";
import classes from "./StrategyFields.module.css";

/** The slider offers these percentages. The input beside it accepts others, too. */
const STEPS = [1, 25, 50, 100];

interface Props {
  value: number;
  onChange: (percentage: number) => void;
  error: string | undefined;
}

export function RollOutInput({ value, onChange, error }: Props) {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  const id = useId();
  const input = (
    <Input.Wrapper
      label={t("strategy.exactPercentage.label")}
      error={error}
      labelProps={{ htmlFor: id }}
    >
      <div className={classes.rollOut}>
        <Slider
          className={classes.slider}
          classNames={{ markLabel: classes.mark ?? "" }}
          value={value}
          onChange={onChange}
          marks={STEPS.map((step) => ({ value: step, label: exactPercent(step / 100) }))}
          restrictToMarks
          label={exactPercent(value / 100)}
          thumbLabel={t("flag.rollOutSteps")}
          thumbValueText={exactPercent(value / 100)}
          thumbSize={24}
        />
        <PercentInput
          id={id}
          className={classes.percentage ?? ""}
          value={value}
          onChange={onChange}
          error={error !== undefined}
        />
      </div>
    </Input.Wrapper>
  );
  return (
    <WithHelp about={t("strategy.exactPercentage.label")} input={input}>
      {t("strategy.exactPercentage.hint")}
    </WithHelp>
  );
}
