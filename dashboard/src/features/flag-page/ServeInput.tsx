import { Group, Input, SegmentedControl, Select, Stack } from "@mantine/core";
import { IconChartPie } from "@tabler/icons-react";
import { useId } from "react";
import type { Flag, Serve } from "../../shared/api/types.ts";
import { variantColors } from "../../shared/flags/variant-colors.ts";
import { VariantLabel } from "../../shared/flags/VariantLabel.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { ErrorsByPath } from "./strategy-errors.ts";
import classes from "./StrategyFields.module.css";
import { evenShares, toWeights } from "./weights.ts";
import { WeightsInput } from "./WeightsInput.tsx";

interface Props {
  flag: Flag;
  value: Serve;
  onChange: (serve: Serve) => void;
  error: string | undefined;
  fieldErrors: ErrorsByPath | undefined;
}

/** The value of the choice that stands for a split. No variant key contains a space. */
const SPLIT = "a split";

/** For a boolean flag: on or off. For other flags: one variant, or a weighted split. */
export function ServeInput(props: Props) {
  const { flag, value } = props;
  // The API also accepts splits of boolean flags, so the user must be able to see and end them.
  return flag.valueType === "boolean" && "variant" in value ? (
    <OnOrOff {...props} variant={value.variant} />
  ) : (
    <VariantOrSplit {...props} />
  );
}

function OnOrOff({ variant, onChange, error }: Props & { variant: string }) {
  const { t } = useTranslation();
  const label = useId();
  return (
    <Input.Wrapper
      label={t("strategy.serve.label")}
      labelElement="div"
      labelProps={{ id: label }}
      error={error}
    >
      <div>
        <SegmentedControl
          aria-labelledby={label}
          data={[
            { value: "on", label: t("common.on") },
            { value: "off", label: t("common.off") },
          ]}
          value={variant}
          onChange={(chosen) => onChange({ variant: chosen })}
        />
      </div>
    </Input.Wrapper>
  );
}

function VariantOrSplit({ flag, value, onChange, error, fieldErrors }: Props) {
  const { t } = useTranslation();
  const color = variantColors(flag.variants);
  const keys = flag.variants.map(({ key }) => key);
  const canSplit = keys.length > 1 || "weights" in value;
  const choice = "variant" in value ? value.variant : SPLIT;
  const choose = (chosen: string) =>
    onChange(
      chosen === SPLIT
        ? { weights: toWeights(keys, evenShares(keys.length)) }
        : { variant: chosen },
    );
  const shown = (option: string, label: string) =>
    option === SPLIT ? (
      <Group gap={6} wrap="nowrap">
        <IconChartPie size={14} stroke={1.75} aria-hidden />
        {label}
      </Group>
    ) : (
      <VariantLabel color={color(option)}>{label}</VariantLabel>
    );
  return (
    <Stack gap="sm">
      <Select
        className={classes.serve ?? ""}
        label={t("strategy.serve.label")}
        data={[
          ...keys.map((key) => ({ value: key, label: key })),
          ...(canSplit ? [{ value: SPLIT, label: t("rules.split") }] : []),
        ]}
        value={choice}
        onChange={(chosen) => chosen !== null && chosen !== choice && choose(chosen)}
        allowDeselect={false}
        renderOption={({ option }) => shown(option.value, option.label)}
        leftSection={shown(choice, "")}
        error={"variant" in value ? error : undefined}
      />
      {"weights" in value && (
        <WeightsInput
          variants={keys}
          color={color}
          weights={value.weights}
          onChange={(weights) => onChange({ weights })}
          fieldErrors={fieldErrors}
        />
      )}
    </Stack>
  );
}
