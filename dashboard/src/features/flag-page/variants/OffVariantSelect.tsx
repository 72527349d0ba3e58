import { Select } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import type { VariantInput } from "../../../shared/variants/variant-input.ts";

const NONE = "none";

interface Props {
  inputs: readonly VariantInput[];
  onChange: (inputs: VariantInput[]) => void;
  error: ReactNode;
}

/** An input for the variant that SDKs get while the flag is off. */
export function OffVariantSelect({ inputs, onChange, error }: Props) {
  const { t } = useTranslation();
  return (
    <Select
      label={t("variants.off")}
      description={t("variants.offHint")}
      data={[
        { value: NONE, label: t("variants.offNone") },
        ...inputs.filter(({ key }) => key !== "").map(({ id, key }) => ({ value: id, label: key })),
      ]}
      value={inputs.find(({ isOff, key }) => isOff && key !== "")?.id ?? NONE}
      onChange={(chosen) =>
        onChange(inputs.map((input) => ({ ...input, isOff: input.id === chosen })))
      }
      allowDeselect={false}
      error={error}
    />
  );
}
