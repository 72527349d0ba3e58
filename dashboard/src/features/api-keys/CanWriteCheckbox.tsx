import { Checkbox, type CheckboxProps } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

/** Whether a server key may change roll-outs. Accepts the props of Mantine's `getInputProps`. */
export function CanWriteCheckbox(props: CheckboxProps) {
  const { t } = useTranslation();
  return (
    <Checkbox label={t("apiKeys.canWrite")} description={t("apiKeys.canWriteHint")} {...props} />
  );
}
