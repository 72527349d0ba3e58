import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useState } from "react";
import { useFormat } from "../../shared/i18n/use-format.ts";

/** The number of decimals that the API accepts in a percentage. */
const DECIMALS = 3;

interface Props extends Pick<
  NumberInputProps,
  "id" | "className" | "aria-label" | "size" | "onFocus" | "onBlur" | "error"
> {
  value: number;
  onChange: (percentage: number) => void;
}

/** A number input for a percentage from 0 to 100 with up to three decimals. */
export function PercentInput({ value, onChange, onBlur, ...props }: Props) {
  const { decimal, percent } = useFormat();
  // The text of the input while that text is not a number, for example while it is empty.
  const [unfinished, setUnfinished] = useState<string>();
  return (
    <NumberInput
      {...props}
      value={unfinished ?? value}
      onChange={(typed) => {
        setUnfinished(typeof typed === "number" ? undefined : typed);
        if (typeof typed === "number") onChange(typed);
      }}
      onBlur={(event) => {
        setUnfinished(undefined);
        onBlur?.(event);
      }}
      min={0}
      max={100}
      clampBehavior="strict"
      decimalScale={DECIMALS}
      decimalSeparator={decimal()}
      allowedDecimalSeparators={[".", ","]}
      allowNegative={false}
      suffix={percent(0).replace("0", "")}
    />
  );
}
