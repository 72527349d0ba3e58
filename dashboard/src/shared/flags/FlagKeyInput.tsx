import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";

/** An input for the key of a flag. */
export function FlagKeyInput(props: TextInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t("flags.key")}
      description={`${t("flags.keyHint")} ${t("flags.keyRule")}`}
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
