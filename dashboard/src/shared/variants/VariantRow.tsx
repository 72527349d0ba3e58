import { TextInput, Textarea } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useMemo } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { JsonEditor } from "../json/JsonEditor.tsx";
import { RowFieldset } from "../rows/RowFieldset.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import type { SchemaCheck } from "../json/schema-check.ts";
import type { ValueType } from "../api/types.ts";
import { type VariantInput, readValue } from "./variant-input.ts";
import classes from "./VariantRow.module.css";

interface Props {
  /** The position in the list, starting at 1. */
  number: number;
  type: ValueType;
  variant: VariantInput;
  onChange: (variant: VariantInput) => void;
  /** Undefined for the only variant, because a flag needs one. */
  onRemove: (() => void) | undefined;
  withDescription: boolean;
  check: SchemaCheck | undefined;
}

/** The editor for JSON is below the other inputs, because it needs the width. */
export function VariantRow(props: Props) {
  const { number, type, variant, onChange, onRemove, withDescription, check } = props;
  const { t } = useTranslation();
  const { key, text, description, errors } = variant;
  // A new value also removes the error that the old value had.
  const set = (field: string, change: Partial<VariantInput>) => {
    const { [field]: _, ...rest } = errors;
    onChange({ ...variant, ...change, errors: rest });
  };
  const value = (
    <div className={classes.value}>
      <VariantValueInput
        type={type}
        text={text}
        onChange={(next) => set("value", { text: next })}
        check={check}
        error={errors["value"]}
      />
    </div>
  );
  return (
    <RowFieldset
      legend={t("variants.nth", { number })}
      className={classes.row}
      data-json={type === "json" || undefined}
    >
      <TextInput
        className={classes.key ?? ""}
        label={t("variants.key")}
        maxLength={64}
        classNames={{ input: classes.code ?? "" }}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={key}
        error={errors["key"]}
        onChange={({ currentTarget }) => set("key", { key: currentTarget.value })}
      />
      {type !== "json" && value}
      {withDescription && (
        <TextInput
          className={classes.description ?? ""}
          label={`${t("common.description")} (${t("common.optional")})`}
          maxLength={200}
          value={description}
          error={errors["description"]}
          onChange={({ currentTarget }) => set("description", { description: currentTarget.value })}
        />
      )}
      {onRemove && (
        <IconButton
          label={t("variants.remove", { number })}
          className={classes.remove ?? ""}
          onClick={onRemove}
        >
          <IconTrash size={16} stroke={1.75} aria-hidden />
        </IconButton>
      )}
      {type === "json" && value}
    </RowFieldset>
  );
}

interface VariantValueInputProps {
  type: ValueType;
  text: string;
  onChange: (text: string) => void;
  /** Checks the value while the user types. */
  check: SchemaCheck | undefined;
  error: string | undefined;
}

/** The input for the value of a variant. Depends on the type of the flag's values. */
/** Returns the path of a JSON pointer, such as `lines.2` for `/lines/2`. */
const pathOf = (pointer: string): string => pointer.slice(1).replaceAll("/", ".");

function VariantValueInput({ type, text, onChange, check, error }: VariantValueInputProps) {
  const { t } = useTranslation();
  const problems = useMemo(() => {
    const read = text === "" ? undefined : readValue(type, text);
    return (read && check?.(read.value)) ?? [];
  }, [check, type, text]);
  // The API finds the same problems, but names only the first one, and without the value.
  const shown =
    problems.length === 0
      ? error
      : problems
          .map(({ pointer, message }) =>
            pointer === "" ? message : t("variants.problemAt", { path: pathOf(pointer), message }),
          )
          .join("\n");
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
