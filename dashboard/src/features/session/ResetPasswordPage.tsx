import { Alert } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { SignedOutLayout } from "./SignedOutLayout.tsx";
import { ForgotPasswordForm } from "./ForgotPasswordForm.tsx";
import { ResetPasswordForm } from "./ResetPasswordForm.tsx";

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
