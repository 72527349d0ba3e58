import { Button, Text, Title } from "@mantine/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { writeSession } from "../../shared/session/session-store.ts";
import { PasskeyButton } from "./PasskeyButton.tsx";
import { SecondFactorForm } from "./SecondFactorForm.tsx";
import { focusedBeforeEnd } from "./session-end.ts";
import type { SignInStart } from "./sign-in.ts";
import classes from "./SignInAgain.module.css";
import { SignInForm } from "./SignInForm.tsx";
import { SignInNotice } from "./SignInNotice.tsx";
import { SignInChoices } from "./SignInChoices.tsx";

/**
 * A dialog that asks for the password after the session has ended. The page behind the dialog keeps
 * its input. The native <dialog> element is above every open modal and makes the rest of the page
 * inert.
 */
export function SignInAgain({ email }: { email: string }) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [step, setStep] = useState<SignInStart>({});

  // Use a layout effect, because its cleanup runs before React removes the dialog. The page can
  // take the focus only after the dialog is closed.
  useLayoutEffect(() => {
    const { current } = dialog;
    const before = focusedBeforeEnd();
    current?.showModal();
    return () => {
      current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  useEffect(() => {
    const titleBefore = document.title;
    document.title = `${t("session.ended")} · ${t("common.product")}`;
    return () => {
      document.title = titleBefore;
    };
  }, [t]);

  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      // `tabIndex` lets the dialog take the focus when the user clicks outside its inputs.
      tabIndex={-1}
      className={classes.dialog}
      aria-labelledby="session-ended"
      aria-describedby="session-ended-text"
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      // Stop the keyboard event, so that it does not trigger the keyboard shortcuts of the page.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <Title order={2} size="h4" id="session-ended">
        {t("session.ended")}
      </Title>
      <Text size="sm" mt={4} mb="md" id="session-ended-text">
        {t("session.endedText")}
      </Text>
      {step.secondStep !== undefined ? (
        <SecondFactorForm
          {...step.secondStep}
          onExpired={() => setStep({ notice: "tooLong" })}
          onBack={() => setStep({})}
        />
      ) : (
        <>
          {step.notice !== undefined && <SignInNotice notice={step.notice} />}
          <SignInChoices hint={t("session.continueHint")} onResult={setStep}>
            <SignInForm
              email={email}
              isFixed
              onSecondFactor={(_email, secondStep) => setStep({ secondStep })}
            />
            <PasskeyButton />
          </SignInChoices>
        </>
      )}
      <Button variant="subtle" fullWidth mt="md" onClick={() => writeSession(null)}>
        {t("session.somebodyElse")}
      </Button>
    </dialog>
  );
}
