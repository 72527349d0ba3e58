import { Button, Loader, Stack } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { SignedOutLayout } from "./SignedOutLayout.tsx";
import type { SignInStart } from "./sign-in.ts";
import { completeSignOn } from "./sign-on-requests.ts";
import classes from "./AcceptInvitePage.module.css";

interface Props {
  /** Called with what the sign-in page shows if the user is not signed in yet, and the next path. */
  onDone: (start: SignInStart, path: string) => void;
}

/**
 * The request that completes the sign-in. Both runs of an effect that React runs twice wait for the
 * same request, because the code in the cookie works once.
 */
let running: ReturnType<typeof completeSignOn> | undefined;

/** The page to which the service redirects the browser after a sign-in at an identity provider. */
export function SignOnCompletePage({ onDone }: Props) {
  const { t } = useTranslation();
  const [error, setError] = useState<unknown>();

  useEffect(() => {
    if (error !== undefined) return undefined;
    let isShown = true;
    const complete = async () => {
      try {
        running ??= completeSignOn();
        const { start, returnTo } = await running;
        if (isShown) onDone(start, returnTo);
      } catch (thrown) {
        running = undefined;
        if (isShown) setError(thrown);
      }
    };
    void complete();
    return () => {
      isShown = false;
    };
  }, [error, onDone]);

  if (error === undefined)
    return (
      <main className={classes.loading}>
        <Loader aria-label={t("common.loading")} />
      </main>
    );
  return (
    <SignedOutLayout title={t("session.signInTitle")} caption={t("session.signInCaption")}>
      <Stack>
        <ErrorAlert error={error} onRetry={() => setError(undefined)} />
        <Button variant="subtle" fullWidth onClick={() => onDone({}, "/")}>
          {t("session.back")}
        </Button>
      </Stack>
    </SignedOutLayout>
  );
}
