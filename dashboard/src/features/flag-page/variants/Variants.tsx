import { Badge, Stack, Text } from "@mantine/core";
import type { Flag, ValueType, Variant } from "../../../shared/api/types.ts";
import { VariantLabel } from "../../../shared/flags/VariantLabel.tsx";
import type { OnDraft } from "../../../shared/flags/use-drafts.ts";
import { variantColors } from "../../../shared/flags/variant-colors.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { JsonValue, LongText } from "../../../shared/json/JsonValue.tsx";
import { textOf } from "../../../shared/variants/variant-input.ts";
import { EditablePart } from "../EditablePart.tsx";
import classes from "./Variants.module.css";
import { VariantsForm } from "./VariantsForm.tsx";

/** Renders nothing for a boolean flag, because its variants are always on and off. */
export function Variants({ flag, onDraft }: { flag: Flag; onDraft: OnDraft }) {
  const { t } = useTranslation();
  if (flag.valueType === "boolean") return null;
  return (
    <EditablePart
      flag={flag}
      id="variants"
      field="variants"
      title={t("variants.title")}
      hint={t("variants.hint")}
      edit={t("variants.edit")}
      renderForm={(handlers) => <VariantsForm flag={flag} onDraft={onDraft} {...handlers} />}
    >
      <VariantList flag={flag} />
    </EditablePart>
  );
}

function VariantList({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const { variants, offVariant, valueSchema } = flag;
  const color = variantColors(variants);
  return (
    <Stack gap="md">
      <ul className={classes.list}>
        {variants.map((variant) => (
          <li key={variant.key} className={classes.variant}>
            <div>
              <div className={classes.key}>
                <VariantLabel color={color(variant.key)}>{variant.key}</VariantLabel>
                {variant.key === offVariant && (
                  <Badge className={classes.off}>{t("variants.off")}</Badge>
                )}
              </div>
              {variant.description !== undefined && (
                <Text size="sm" c="dimmed" className={classes.description}>
                  {variant.description}
                </Text>
              )}
            </div>
            <div className={classes.value}>
              <VariantValue type={flag.valueType} variant={variant} />
            </div>
          </li>
        ))}
      </ul>
      {offVariant === null && (
        <Text size="sm" c="dimmed">
          {t("variants.offNoneText")}
        </Text>
      )}
      {valueSchema !== null && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            {t("variants.schema")}
          </Text>
          <JsonValue value={valueSchema} label={t("variants.schema")} />
        </div>
      )}
    </Stack>
  );
}

/** Shows a value in a code block if it is longer than this or has several lines. */
const MAX_INLINE = 80;

interface Props {
  type: ValueType;
  variant: Variant;
}

/** The value of a variant: a text without quotation marks, or a number or JSON. */
function VariantValue({ type, variant: { key, value } }: Props) {
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
