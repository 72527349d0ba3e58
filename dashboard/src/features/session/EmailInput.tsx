import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** The email field, the first field of its form. Its form name is `email`. */
export function EmailInput({ defaultValue }: { defaultValue: string }) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t("session.email")}
      name="email"
      // Not `type="email"`: browsers rewrite such values to punycode, but the service stores
      // addresses as typed.
      type="text"
      inputMode="email"
      defaultValue={defaultValue}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      withAsterisk={false}
      autoFocus={defaultValue === ""}
      size="md"
    />
  );
}
