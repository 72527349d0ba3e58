import { Alert, Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { NewPasswordField } from "../../shared/session/PasswordField.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { SignedOutLayout } from "./SignedOutLayout.tsx";
import { ForgotPasswordForm } from "./ForgotPasswordForm.tsx";
import { resetPassword } from "./mail-link-requests.ts";
import { useNewPassword } from "./use-new-password.ts";

interface Props {
  /** The token of the reset link. Null if the URL has none. */
  token: string | null;
  onDone: () => void;
  onLeave: () => void;
}

/** The page that the link in a password reset mail opens. */
export function ResetPasswordPage({ token, onDone, onLeave }: Props) {
  const { t } = useTranslation();
  const [isInvalid, setInvalid] = useState(false);
  if (token !== null && !isInvalid)
    return (
      <SignedOutLayout title={t("session.resetCaption")} caption={t("session.newPasswordCaption")}>
        <ResetPasswordForm token={token} onDone={onDone} onInvalidLink={() => setInvalid(true)} />
      </SignedOutLayout>
    );
  return (
    <SignedOutLayout title={t("session.resetCaption")} caption={t("session.resetCaption")}>
      <Alert title={t("session.invalidLink")} mb="md" role="alert">
        {t("session.invalidResetLink")}
      </Alert>
      <ForgotPasswordForm email="" onBack={onLeave} />
    </SignedOutLayout>
  );
}

interface ResetPasswordFormProps {
  token: string;
  onDone: () => void;
  onInvalidLink: () => void;
}

function ResetPasswordForm({ token, onDone, onInvalidLink }: ResetPasswordFormProps) {
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
