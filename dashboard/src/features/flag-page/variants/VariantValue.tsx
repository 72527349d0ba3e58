import { Text } from "@mantine/core";
import type { ValueType, Variant } from "../../../shared/api/types.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { LongText } from "../../../shared/json/JsonValue.tsx";
import { textOf } from "../../../shared/variants/variant-input.ts";
import classes from "./VariantValue.module.css";

/** A longer value, or one with several lines, is in a code block. */
const MAX_INLINE = 80;

interface Props {
  type: ValueType;
  variant: Variant;
}

/** The value of a variant: a text without quotation marks, or a number or JSON. */
export function VariantValue({ type, variant: { key, value } }: Props) {
  const { t } = useTranslation();
  const text = textOf(type, value);
  if (text === "")
    return (
      <Text size="sm" c="dimmed">
        {t("variants.emptyText")}
      </Text>
    );
  return text.length > MAX_INLINE || text.includes("\n") ? (
    <LongText text={text} label={t("variants.valueOf", { variant: key })} />
  ) : (
    <code className={classes.inline}>{text}</code>
  );
}
