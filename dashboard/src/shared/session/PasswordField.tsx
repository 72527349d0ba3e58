import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** A password that can be looked at, by keyboard, too. */
export function PasswordField({ error, ...props }: PasswordInputProps) {
  const { t } = useTranslation();
  const isInvalid = error !== undefined && error !== null && error !== false;
  return (
    <PasswordInput
      autoComplete="current-password"
      required
      withAsterisk={false}
      error={error}
      aria-invalid={isInvalid}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ "aria-label": t("session.showPassword") }}
      {...props}
    />
  );
}

/** Decisions 3.7, which the server holds. */
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;

/** No `maxLength`, which would cut a pasted password without a word. */
export function NewPasswordField(props: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordField
      description={t("session.passwordRules", PASSWORD_LENGTH)}
      autoComplete="new-password"
      minLength={PASSWORD_LENGTH.min}
      {...props}
    />
  );
}
