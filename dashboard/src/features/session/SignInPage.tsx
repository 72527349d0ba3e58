import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { SignedOutLayout } from "./SignedOutLayout.tsx";
import { ForgotPasswordForm } from "./ForgotPasswordForm.tsx";
import { PasskeyButton } from "./PasskeyButton.tsx";
import { SecondFactorForm } from "./SecondFactorForm.tsx";
import type { SecondStep, Notice, SignInStart } from "./sign-in.ts";
import { SignInForm } from "./SignInForm.tsx";
import { SignInNotice } from "./SignInNotice.tsx";
import { SignInChoices } from "./SignInChoices.tsx";

type Step =
  | { kind: "password"; notice?: Notice | undefined }
  | { kind: "second-factor"; secondStep: SecondStep }
  | { kind: "forgotten" };

interface Props {
  start: SignInStart;
  /** The initial value of the email input. Undefined if no email address is known. */
  email: string | undefined;
}

const firstStep = ({ notice, secondStep }: SignInStart): Step =>
  secondStep === undefined ? { kind: "password", notice } : { kind: "second-factor", secondStep };

export function SignInPage({ start, email: known = "" }: Props) {
  const { t } = useTranslation();
  const [step, setStep] = useState(() => firstStep(start));
  const [email, setEmail] = useState(known);
  const back = () => setStep({ kind: "password" });

  if (step.kind === "second-factor")
    return (
      <SignedOutLayout title={t("session.signInTitle")} caption={t("session.codeCaption")}>
        <SecondFactorForm
          {...step.secondStep}
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
      {step.notice !== undefined && <SignInNotice notice={step.notice} />}
      <SignInChoices onResult={(result) => setStep(firstStep(result))}>
        <SignInForm
          email={email}
          onSecondFactor={(typed, secondStep) => {
            setEmail(typed);
            setStep({ kind: "second-factor", secondStep });
          }}
          onForgotten={(typed) => {
            setEmail(typed);
            setStep({ kind: "forgotten" });
          }}
        />
        <PasskeyButton />
      </SignInChoices>
    </SignedOutLayout>
  );
}
