import { TextInput } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

/** An input for an email address, the first input of its form. The form value is named `email`. */
export function EmailInput({ defaultValue }: { defaultValue: string }) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t("session.email")}
      name="email"
      // The type is not `email`, because browsers convert international domains to punycode in
      // inputs of this type. The service stores these domains without this conversion.
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
