import { Button, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { fieldErrorsOf, toInvalidFieldsError } from "../../shared/api/field-errors.ts";
import { NewPasswordField } from "../../shared/session/PasswordField.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { resetPassword } from "./mail-link-requests.ts";

interface Props {
  token: string;
  onDone: () => void;
  onInvalidLink: () => void;
}

export function ResetPasswordForm({ token, onDone, onInvalidLink }: Props) {
  const { t } = useTranslation();
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    if ((await resetPassword(token, field("password"))) === "done") onDone();
    else onInvalidLink();
  });
  const { password } = fieldErrorsOf(error);

  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack>
        {error !== undefined && (
          <ErrorAlert error={password === undefined ? error : toInvalidFieldsError(error)} />
        )}
        <NewPasswordField
          label={t("session.newPassword")}
          name="password"
          error={password !== undefined && t("session.passwordNotAllowed")}
          autoFocus
          size="md"
        />
        <Button type="submit" size="md" fullWidth loading={pending}>
          {t("session.changePassword")}
        </Button>
      </Stack>
    </form>
  );
}
