import { Alert, Button, Stack } from "@mantine/core";
import { useState } from "react";
import { hasCode } from "../../shared/api/api-error.ts";
import { publicApi } from "../../shared/api/public-client.ts";
import { dataOf } from "../../shared/api/response.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { storedDevice } from "../../shared/session/device-store.ts";
import { canUsePasskeys, isCancelled, loadPasskeys } from "../../shared/session/passkeys.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { receive } from "./sign-in.ts";

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

/**
 * What has come of a sign-in: `cancelled` if the browser has used no passkey, `refused` if the service
 * does not accept it, `expired` if the user must enter the password again.
 */
type Outcome = "signed-in" | "cancelled" | "refused" | "expired";

/**
 * Signs in with a passkey, in all tabs of this browser, or completes the sign-in of `mfaToken`.
 * Throws: ApiError.
 */
async function signInWithPasskey(mfaToken?: string): Promise<Outcome> {
  const { startAuthentication } = await loadPasskeys();
  const first = mfaToken === undefined ? {} : { mfaToken };
  const optionsJSON = await optionsFor(first);
  if (optionsJSON === "expired") return "expired";
  try {
    const response = await startAuthentication({ optionsJSON });
    const body = { response, ...first, ...storedDevice() };
    receive(await dataOf(publicApi.POST("/api/v1/auth/passkeys/sign-in", { body })));
    return "signed-in";
  } catch (error) {
    if (isCancelled(error)) return "cancelled";
    if (hasCode(error, "UNAUTHORIZED")) return "refused";
    throw error;
  }
}

/** Returns the options of the browser's dialog; "expired" if the MFA token is no longer valid. */
async function optionsFor(first: { mfaToken?: string }) {
  try {
    return await dataOf(publicApi.POST("/api/v1/auth/passkeys/sign-in/options", { body: first }));
  } catch (error) {
    if (hasCode(error, "UNAUTHORIZED")) return "expired";
    throw error;
  }
}
