import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** The API cuts off reasons that are longer than this, in characters. */
const MAX_REASON = 500;

interface Props {
  value: string;
  onChange: (reason: string) => void;
}

/** An input for the reason for a change. The history of the flag shows the reason. */
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
