import { type NumberInputProps, Stack, Text } from "@mantine/core";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { HoursInput } from "./HoursInput.tsx";
import type { Settings } from "./settings-requests.ts";

interface Props {
  saved: Settings;
  /** The hours in the input. They may differ from the saved setting. */
  hours: number | string;
  input: NumberInputProps;
}

export function SessionTimeout({ saved, hours, input }: Props) {
  const { t } = useTranslation();
  const duration = useDuration(Number(hours));
  return (
    <Stack gap="xs">
      <HoursInput label={t("settings.timeout")} {...input} />
      {duration !== undefined && (
        <Text size="sm" c="dimmed">
          {t("settings.makes", { duration })}
        </Text>
      )}
      {Number(hours) > 0 && Number(hours) < saved.sessionTimeoutHours && (
        <Text size="sm" role="status">
          {t("settings.shorter")}
        </Text>
      )}
    </Stack>
  );
}

const HOURS_PER_DAY = 24;

/** Formats hours as `7 days and 12 hours`. Returns undefined below one day. */
function useDuration(hours: number): string | undefined {
  const { language } = useTranslation();
  const { list } = useFormat();
  if (!Number.isInteger(hours) || hours < HOURS_PER_DAY) return undefined;
  const amount = (unit: "day" | "hour", value: number) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value);
  const rest = hours % HOURS_PER_DAY;
  return list([
    amount("day", Math.floor(hours / HOURS_PER_DAY)),
    ...(rest > 0 ? [amount("hour", rest)] : []),
  ]);
}
