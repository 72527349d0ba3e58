import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";

export function FlagKeyInput(props: TextInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t("flagForms.key")}
      description={`${t("flagForms.keyHint")} ${t("flagForms.keyRule")}`}
      maxLength={128}
      required
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
