import { Alert, Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { canUsePasskeys } from "../../shared/session/passkeys.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { signInWithPasskey } from "./passkey-sign-in.ts";

interface Props {
  /** The token of a sign-in that the passkey completes as the second factor. */
  mfaToken?: string;
  /** Called when `mfaToken` has expired. The user must enter the password again. */
  onExpired?: () => void;
  /** True if there is no other way to go on. */
  isOnlyWay?: boolean;
}

/** The button for a sign-in with a passkey, unless the browser has none. */
export function PasskeyButton({ mfaToken, onExpired, isOnlyWay = false }: Props) {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<"cancelled" | "refused">();
  const { onSubmit, pending, error } = useSubmit(async () => {
    setProblem(undefined);
    const outcome = await signInWithPasskey(mfaToken);
    if (outcome === "expired") onExpired?.();
    else if (outcome !== "signed-in") setProblem(outcome);
  });
  if (!canUsePasskeys())
    return isOnlyWay ? <Alert color="red">{t("session.passkeyUnavailable")}</Alert> : null;
  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack gap="xs" mt={isOnlyWay ? 0 : "md"}>
        {error !== undefined && <ErrorAlert error={error} />}
        {problem !== undefined && !pending && (
          <Alert color="red" role="alert">
            {t(problem === "cancelled" ? "session.passkeyCancelled" : "session.passkeyRefused")}
          </Alert>
        )}
        <Button
          type="submit"
          variant={isOnlyWay ? "filled" : "default"}
          size="md"
          fullWidth
          autoFocus={isOnlyWay}
          loading={pending}
        >
          {t(mfaToken === undefined ? "session.signInWithPasskey" : "session.usePasskey")}
        </Button>
      </Stack>
    </form>
  );
}
