import { TextInput } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";
import { instantOf, localOf, offsetOf, timeZone } from "./local-time.ts";

interface Props {
  /** A date and time in the time zone of the browser, without an offset. It may be empty. */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** An input for the time of a planned change. Shows the offset of the time zone on the chosen day. */
export function ApplyAtInput({ value, onChange, error }: Props) {
  const { t } = useTranslation();
  const time = instantOf(value);
  return (
    <TextInput
      type="datetime-local"
      label={t("schedule.applyAt")}
      description={
        time === undefined || offsetOf(time) === timeZone()
          ? t("schedule.zone", { zone: timeZone() })
          : t("schedule.zoneAt", { zone: timeZone(), offset: offsetOf(time) })
      }
      required
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      data-autofocus
    />
  );
}

/** The first full hour that is at least 30 minutes away, for `ApplyAtInput`. */
export function nextHour(): string {
  const time = new Date(Date.now() + 90 * 60_000);
  time.setMinutes(0, 0, 0);
  return localOf(time.getTime());
}
