import { TextInput, VisuallyHidden } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTranslation } from "../i18n/use-translation.ts";
import { IconButton } from "../ui/IconButton.tsx";
import type { SchemaCheck } from "../json/schema-check.ts";
import type { ValueType } from "../api/types.ts";
import type { VariantInput } from "./variant-input.ts";
import classes from "./VariantRow.module.css";
import { VariantValueInput } from "./VariantValueInput.tsx";

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

/**
 * The inputs for one variant of a flag. The editor for JSON is below the other inputs, because it
 * needs the width.
 */
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
    <fieldset className={classes.row} data-json={type === "json" || undefined}>
      <VisuallyHidden component="legend">{t("variants.nth", { number })}</VisuallyHidden>
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
    </fieldset>
  );
}
