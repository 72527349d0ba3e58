import { Alert, Button, Text, Title } from "@mantine/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { readEndedSession, writeSession } from "../../shared/session/session-store.ts";
import { SecondFactorForm } from "./SecondFactorForm.tsx";
import classes from "./SignInAgain.module.css";
import { SignInForm } from "./SignInForm.tsx";

type Step = { kind: "password"; isLate?: boolean } | { kind: "second-factor"; mfaToken: string };

// Here, before there is any other, because the page's own dialogs listen here, too: they would close,
// and lose what was typed in them.
window.addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Escape" && readEndedSession()) event.stopImmediatePropagation();
  },
  { capture: true },
);

/** Where the work goes on; the button that was pressed has lost the focus while it was busy. */
let workedAt: EventTarget | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (!readEndedSession()) workedAt = target;
});

/**
 * Over the page whose session has ended; behind it everything stays as it was typed. The browser's
 * own dialog, because that is above whatever is open, and takes all the rest out of reach.
 */
export function SignInAgain({ email }: { email: string }) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [step, setStep] = useState<Step>({ kind: "password" });

  // Before it leaves the page, because until then the page cannot have the focus.
  useLayoutEffect(() => {
    const { current } = dialog;
    const before = workedAt;
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
      // Takes the focus when somebody clicks beside its fields.
      tabIndex={-1}
      className={classes.dialog}
      aria-labelledby="session-ended"
      aria-describedby="session-ended-text"
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      // Nor do the shortcuts of the page.
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
