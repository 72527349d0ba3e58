import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { TIMEOUT_HOURS } from "./settings-requests.ts";

/** An input for how long a session lasts, in hours. */
export function HoursInput(props: NumberInputProps) {
  const { t } = useTranslation();
  return (
    <NumberInput
      description={t("settings.timeoutHint")}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      {...TIMEOUT_HOURS}
      maw="20rem"
      {...props}
    />
  );
}
