import { Alert } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { SignedOutLayout } from "./SignedOutLayout.tsx";
import { ForgotPasswordForm } from "./ForgotPasswordForm.tsx";
import { SecondFactorForm } from "./SecondFactorForm.tsx";
import { SignInForm } from "./SignInForm.tsx";

export type Notice = "endedNotice" | "passwordChanged" | "tooLong";

type Step =
  | { kind: "password"; notice?: Notice | undefined }
  | { kind: "second-factor"; mfaToken: string }
  | { kind: "forgotten" };

interface Props {
  /** The message above the first sign-in step, for example after a password reset. */
  notice: Notice | undefined;
  /** The initial value of the email input. Undefined if no email address is known. */
  email: string | undefined;
}

export function SignInPage({ notice, email: known = "" }: Props) {
  const { t } = useTranslation();
  const [step, setStep] = useState<Step>({ kind: "password", notice });
  const [email, setEmail] = useState(known);
  const back = () => setStep({ kind: "password" });

  if (step.kind === "second-factor")
    return (
      <SignedOutLayout title={t("session.signInTitle")} caption={t("session.codeCaption")}>
        <SecondFactorForm
          mfaToken={step.mfaToken}
          onExpired={() => setStep({ kind: "password", notice: "tooLong" })}
          onBack={back}
        />
      </SignedOutLayout>
    );

  if (step.kind === "forgotten")
    return (
      <SignedOutLayout title={t("session.resetCaption")} caption={t("session.resetCaption")}>
        <ForgotPasswordForm email={email} onBack={back} />
      </SignedOutLayout>
    );

  return (
    <SignedOutLayout title={t("session.signInTitle")} caption={t("session.signInCaption")}>
      {step.notice !== undefined && (
        <Alert mb="md" role="status">
          {t(`session.${step.notice}`)}
        </Alert>
      )}
      <SignInForm
        email={email}
        onSecondFactor={(typed, mfaToken) => {
          setEmail(typed);
          setStep({ kind: "second-factor", mfaToken });
        }}
        onForgotten={(typed) => {
          setEmail(typed);
          setStep({ kind: "forgotten" });
        }}
      />
    </SignedOutLayout>
  );
}
