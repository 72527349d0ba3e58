import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";

/** Its visibility button is reachable by keyboard, which is not Mantine's default. */
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

/**
 * The minimum and maximum length of a new password, in characters. The server enforces both
 * (docs/build/decisions.md, 3.7).
 */
export const PASSWORD_LENGTH = { min: 8, max: 128 } as const;

/**
 * An input for a new password. It has no `maxLength`, because the browser would silently cut off a
 * longer password when the user pastes it.
 */
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
