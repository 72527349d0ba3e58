import { Button, Stack } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { NewPasswordField } from "../../shared/session/PasswordField.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { resetPassword } from "./mail-link-requests.ts";
import { useNewPassword } from "./use-new-password.ts";

interface Props {
  token: string;
  onDone: () => void;
  onInvalidLink: () => void;
}

export function ResetPasswordForm({ token, onDone, onInvalidLink }: Props) {
  const { t } = useTranslation();
  const { checked, errorOf } = useNewPassword();
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    if ((await resetPassword(token, checked(field("password")))) === "done") onDone();
    else onInvalidLink();
  });
  const password = errorOf(error);

  return (
    <form onSubmit={onSubmit} noValidate aria-busy={pending}>
      <Stack>
        {error !== undefined && password === undefined && <ErrorAlert error={error} />}
        <NewPasswordField
          label={t("session.newPassword")}
          name="password"
          error={password}
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
