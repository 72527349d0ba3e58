import { Badge, Stack, Text } from "@mantine/core";
import type { Flag } from "../../../shared/api/types.ts";
import { variantColors } from "../../../shared/flags/variant-colors.ts";
import { VariantLabel } from "../../../shared/flags/VariantLabel.tsx";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { JsonValue } from "../../../shared/json/JsonValue.tsx";
import classes from "./VariantList.module.css";
import { VariantValue } from "./VariantValue.tsx";

/** The variants of a flag, its off variant and the schema of its values. */
export function VariantList({ flag }: { flag: Flag }) {
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
