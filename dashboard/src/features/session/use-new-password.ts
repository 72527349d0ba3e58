import { fieldErrorsOf } from "../../shared/api/field-errors.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { PASSWORD_LENGTH } from "../../shared/session/PasswordField.tsx";

/** Thrown instead of a request whose new password the service would refuse for its length. */
class PasswordLengthError extends Error {}

/** The check of a new password before its request, and the text of the error at its field. */
export function useNewPassword() {
  const { t } = useTranslation();
  return {
    /** Returns the password. Throws if it is too short, which `errorOf` explains. */
    checked: (password: string): string => {
      if (password.length < PASSWORD_LENGTH.min)
        throw new PasswordLengthError(
          password === "" ? t("common.required") : t("session.passwordTooShort", PASSWORD_LENGTH),
        );
      return password;
    },
    errorOf: (error: unknown): string | undefined => {
      if (error instanceof PasswordLengthError) return error.message;
      return fieldErrorsOf(error)["password"] === undefined
        ? undefined
        : t("session.passwordNotAllowed");
    },
  };
}
