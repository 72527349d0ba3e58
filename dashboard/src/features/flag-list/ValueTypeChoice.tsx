import { Input, SegmentedControl, Text } from "@mantine/core";
import { useId } from "@mantine/hooks";
import type { ValueType } from "../../shared/api/types.ts";
import { every } from "../../shared/every.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

const TYPES = every<ValueType>()(["boolean", "string", "number", "json"]);

interface Props {
  value: ValueType;
  onChange: (type: ValueType) => void;
}

/** An input for the type of a new flag's values. Explains the chosen type in a sentence. */
export function ValueTypeChoice({ value, onChange }: Props) {
  const { t } = useTranslation();
  const hint = useId();
  return (
    <div>
      <Input.Label component="div" labelElement="div">
        {t("variants.valueType")}
      </Input.Label>
      <SegmentedControl
        fullWidth
        aria-label={t("variants.valueType")}
        aria-describedby={hint}
        data={TYPES.map((type) => ({ value: type, label: t(`flags.valueTypes.${type}`) }))}
        value={value}
        onChange={onChange}
      />
      <Text size="sm" mt={4} id={hint} role="status">
        {t(`variants.typeHints.${value}`)} {value !== "boolean" && t("variants.typeFixed")}
      </Text>
    </div>
  );
}
