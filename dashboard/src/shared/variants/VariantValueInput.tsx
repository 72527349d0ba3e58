import { Textarea, TextInput } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { JsonEditor } from "../json/JsonEditor.tsx";
import type { SchemaCheck } from "../json/schema-check.ts";
import type { ValueType } from "../api/types.ts";
import { readValue } from "./variant-input.ts";

interface Props {
  type: ValueType;
  text: string;
  onChange: (text: string) => void;
  /** Checks the value while the user types. */
  check: SchemaCheck | undefined;
  error: string | undefined;
}

/** The input for the value of a variant. Depends on the type of the flag's values. */
export function VariantValueInput({ type, text, onChange, check, error }: Props) {
  const { t } = useTranslation();
  const problems = useMemo(() => {
    const read = text === "" ? undefined : readValue(type, text);
    return (read && check?.(read.value)) ?? [];
  }, [check, type, text]);
  const shown =
    error ??
    (problems.length === 0
      ? undefined
      : problems
          .map(({ pointer, message }) =>
            pointer === "" ? message : t("variants.problemAt", { pointer, message }),
          )
          .join("\n"));
  const label = t("variants.value");
  if (type === "json")
    return <JsonEditor {...{ label, value: text, onChange, problems }} error={shown} />;
  if (type === "number")
    return (
      <TextInput
        label={label}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        error={shown}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <Textarea
      label={label}
      autosize
      minRows={1}
      maxRows={12}
      value={text}
      error={shown}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
