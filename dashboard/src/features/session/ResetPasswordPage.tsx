import { Alert } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SignedOutLayout } from "./SignedOutLayout.tsx";
import { ForgotPasswordForm } from "./ForgotPasswordForm.tsx";
import { ResetPasswordForm } from "./ResetPasswordForm.tsx";

interface Props {
  /** Null when the link was opened without its token. */
  token: string | null;
  onDone: () => void;
  onLeave: () => void;
}

/** Where the link to a new password leads. */
export function ResetPasswordPage({ token, onDone, onLeave }: Props) {
  const { t } = useTranslation();
  const [useless, setUseless] = useState(false);
  if (token !== null && !useless)
    return (
      <SignedOutLayout title={t("session.resetCaption")} caption={t("session.newPasswordCaption")}>
        <ResetPasswordForm token={token} onDone={onDone} onInvalidLink={() => setUseless(true)} />
      </SignedOutLayout>
    );
  return (
    <SignedOutLayout title={t("session.resetCaption")} caption={t("session.resetCaption")}>
      <Alert title={t("session.uselessLink")} mb="md" role="alert">
        {t("session.uselessReset")}
      </Alert>
      <ForgotPasswordForm email="" onBack={onLeave} />
    </SignedOutLayout>
  );
}
