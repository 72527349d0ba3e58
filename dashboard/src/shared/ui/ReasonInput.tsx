import { TextInput } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";

/** The maximum length of a reason, in characters. The API cuts off longer reasons. */
const MAX_REASON = 500;

interface Props {
  value: string;
  onChange: (reason: string) => void;
  /** Whether the input takes the focus when its dialog opens. Default: false. */
  takesFocus?: boolean;
  /** Whether the change needs a reason. Default: false. */
  isRequired?: boolean;
}

/** An input for the reason for a change. The history of the flag shows this reason. */
export function ReasonInput({ value, onChange, takesFocus = false, isRequired = false }: Props) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={isRequired ? t("flag.reason") : `${t("flag.reason")} (${t("common.optional")})`}
      required={isRequired}
      placeholder={t(isRequired ? "flag.reasonRequiredHint" : "flag.reasonHint")}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      maxLength={MAX_REASON}
      data-autofocus={takesFocus || undefined}
    />
  );
}
