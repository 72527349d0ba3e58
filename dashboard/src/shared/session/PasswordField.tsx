import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** A password input whose visibility toggle is reachable by keyboard. */
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

/** Limits of a new password, which the server enforces (docs/decisions.md, 3.7). */
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;

/** No `maxLength`: the browser would silently cut off a pasted password. */
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
