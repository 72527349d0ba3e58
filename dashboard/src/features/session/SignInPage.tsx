import { Alert } from "@mantine/core";
import { useState } from "react";
import { EntryFrame } from "../../shared/ui/EntryFrame.tsx";
import { ForgotPasswordForm } from "./ForgotPasswordForm.tsx";
import { SecondFactorForm } from "./SecondFactorForm.tsx";
import { SignInForm } from "./SignInForm.tsx";

type Step =
  | { kind: "password"; notice?: string | undefined }
  | { kind: "second-factor"; mfaToken: string }
  | { kind: "forgotten" };

/** `notice` stands above the first step. */
export function SignInPage({
  notice,
  email: known = "",
}: {
  notice: string | undefined;
  email: string | undefined;
}) {
  const [step, setStep] = useState<Step>({ kind: "password", notice });
  const [email, setEmail] = useState(known);
  const back = () => setStep({ kind: "password" });

  if (step.kind === "second-factor")
    return (
      <EntryFrame caption="Confirm that it is you">
        <SecondFactorForm
          mfaToken={step.mfaToken}
          onExpired={() =>
            setStep({ kind: "password", notice: "That took too long. Please sign in again." })
          }
          onBack={back}
        />
      </EntryFrame>
    );

  if (step.kind === "forgotten")
    return (
      <EntryFrame caption="Reset your password">
        <ForgotPasswordForm email={email} onBack={back} />
      </EntryFrame>
    );

  return (
    <EntryFrame caption="Sign in to your account">
      {step.notice !== undefined && <Alert mb="md">{step.notice}</Alert>}
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
    </EntryFrame>
  );
}
