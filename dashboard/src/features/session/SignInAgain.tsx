import { Alert, Button, Text, Title } from "@mantine/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { readEndedSession, writeSession } from "../../shared/session/session-store.ts";
import { SecondFactorForm } from "./SecondFactorForm.tsx";
import classes from "./SignInAgain.module.css";
import { SignInForm } from "./SignInForm.tsx";

type Step = { kind: "password"; isLate?: boolean } | { kind: "second-factor"; mfaToken: string };

// Registered when the module loads, before the listeners of open dialogs: Escape must not close
// them, because their input would be lost.
window.addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Escape" && readEndedSession()) event.stopImmediatePropagation();
  },
  { capture: true },
);

/**
 * The element to focus again after signing in. The active element is no help: a submit button loses
 * the focus while it is busy.
 */
let lastFocused: EventTarget | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (!readEndedSession()) lastFocused = target;
});

/**
 * The dialog over a page whose session has ended; the page behind it keeps its input. A native
 * dialog element, because it is above any open modal and makes the rest of the page inert.
 */
export function SignInAgain({ email }: { email: string }) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [step, setStep] = useState<Step>({ kind: "password" });

  // A layout effect, so that the cleanup closes the dialog before React removes it: until then the
  // page cannot take the focus.
  useLayoutEffect(() => {
    const { current } = dialog;
    const before = lastFocused;
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
      // Takes the focus when the user clicks outside its fields.
      tabIndex={-1}
      className={classes.dialog}
      aria-labelledby="session-ended"
      aria-describedby="session-ended-text"
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      // Keeps the keyboard shortcuts of the page from running.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <Title order={2} size="h4" id="session-ended">
        {t("session.ended")}
      </Title>
      <Text size="sm" mt={4} mb="md" id="session-ended-text">
        {t("session.endedText")}
      </Text>
      {step.kind === "second-factor" ? (
        <SecondFactorForm
          mfaToken={step.mfaToken}
          onExpired={() => setStep({ kind: "password", isLate: true })}
          onBack={() => setStep({ kind: "password" })}
        />
      ) : (
        <>
          {step.isLate === true && (
            <Alert mb="md" role="status">
              {t("session.tooLong")}
            </Alert>
          )}
          <SignInForm
            email={email}
            isFixed
            onSecondFactor={(_email, mfaToken) => setStep({ kind: "second-factor", mfaToken })}
          />
        </>
      )}
      <Button variant="subtle" fullWidth mt="md" onClick={() => writeSession(null)}>
        {t("session.somebodyElse")}
      </Button>
    </dialog>
  );
}
