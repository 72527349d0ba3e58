import { Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { parseDate } from "@feature-flags/evaluation/parse";

interface Props {
  /** The date and time in ISO 8601, or an empty text. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** The browser's native date and time input. It shows UTC, because rules compare times in UTC. */
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
 * Formats a time for an `<input type="datetime-local">`: without a time zone, and without seconds
 * if they are zero.
 */
function toLocal(value: string): string {
  const time = parseDate(value);
  if (time === undefined) return "";
  return new Date(time).toISOString().replace(/(:00)?\.000Z$|Z$/, "");
}
