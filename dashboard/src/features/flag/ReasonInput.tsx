import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** The API truncates longer reasons. */
const MAX_REASON = 500;

interface Props {
  value: string;
  onChange: (reason: string) => void;
}

/** The reason for a change, which the history shows. */
export function ReasonInput({ value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={`${t("flag.reason")} (${t("common.optional")})`}
      placeholder={t("flag.reasonHint")}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      maxLength={MAX_REASON}
    />
  );
}
