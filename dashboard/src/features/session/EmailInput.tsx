import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Named `email`; the first field of its form. */
export function EmailInput({ defaultValue }: { defaultValue: string }) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t("session.email")}
      name="email"
      // Not `type="email"`, which browsers rewrite to punycode: the service keeps addresses as typed.
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
