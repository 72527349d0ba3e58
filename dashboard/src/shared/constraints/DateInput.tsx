import { Text, TextInput } from "@mantine/core";
import { parseDate } from "@feature-flags/evaluation/parse";
import { useTranslation } from "../i18n/use-translation.ts";

interface Props {
  /** The date and time in ISO 8601, or an empty text for none. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** The browser's native date and time input, in UTC, whatever the browser's time zone. */
export function DateInput({ value, onChange, error }: Props) {
  const { t } = useTranslation();
  return (
    <TextInput
      type="datetime-local"
      step="any"
      aria-label={t("constraints.value")}
      value={toLocal(value)}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === "" ? "" : `${currentTarget.value}Z`)
      }
      rightSection={
        <Text size="xs" c="dimmed">
          UTC
        </Text>
      }
      rightSectionWidth={44}
      error={error}
    />
  );
}

/**
 * Formats a time in ISO 8601 for an `<input type="datetime-local">`: in UTC, without a time zone,
 * and without seconds if they are zero. Returns an empty text if the time cannot be parsed.
 */
function toLocal(value: string): string {
  const time = parseDate(value);
  if (time === undefined) return "";
  return new Date(time).toISOString().replace(/(:00)?\.000Z$|Z$/, "");
}
