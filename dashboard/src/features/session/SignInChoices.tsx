import { Button, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { publicApi } from "../../shared/api/public-client.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { goToProvider, openPath, type SignOnOption } from "../../shared/session/sign-on.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import type { SignInStart } from "./sign-in.ts";
import { signInBehindAccess, type WaysToSignIn, waysToSignIn } from "./sign-on-requests.ts";

interface Props {
  /** A text above the buttons. */
  hint?: string;
  /** The token of the invitation link that the sign-in accepts. */
  invitation?: string;
  /**
   * Called after a sign-in that needs no redirect. The argument is empty if the user is signed in,
   * and otherwise has what the sign-in page shows.
   */
  onResult: (start: SignInStart) => void;
  /** The form with the password, and the button for a passkey, which counts as a password. */
  children: ReactNode;
}

/**
 * The form with the password, and below it a button for each identity provider, because the list loads
 * after the form. While passwords are turned off, a link opens the form for administrators with an
 * emergency password.
 */
export function SignInChoices({ hint, children, ...props }: Props) {
  const { t } = useTranslation();
  const { options, passwordsAreOff } = useWaysToSignIn();
  const [isEmergency, setEmergency] = useState(false);
  const isHidden = passwordsAreOff && options.length > 0 && !isEmergency;
  return (
    <>
      {!isHidden && children}
      {options.length > 0 && (
        <Stack mt="md" gap="sm" role="group" aria-label={t("session.signOn")}>
          {hint !== undefined && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
          {options.map((option) => (
            <SignOnButton key={option.slug} option={option} {...props} />
          ))}
        </Stack>
      )}
      {isHidden && (
        <Button variant="subtle" size="compact-sm" mt="md" onClick={() => setEmergency(true)}>
          {t("session.emergency")}
        </Button>
      )}
    </>
  );
}

function SignOnButton({
  option: { slug, name, type },
  invitation,
  onResult,
}: Pick<Props, "invitation" | "onResult"> & { option: SignOnOption }) {
  const { t } = useTranslation();
  const { onSubmit, pending, error } = useSubmit(async () => {
    if (type !== "access")
      return goToProvider(publicApi, slug, {
        intent: "signIn",
        ...(invitation === undefined ? { returnTo: openPath() } : { invitation }),
      });
    onResult(await signInBehindAccess(slug));
  });
  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack gap="xs">
        {error !== undefined && <ErrorAlert error={error} />}
        <Button type="submit" variant="default" size="md" fullWidth loading={pending}>
          {t("session.continueWith", { provider: name })}
        </Button>
      </Stack>
    </form>
  );
}

/** Returns how users can sign in: with a password while the answer loads, and if it does not load. */
function useWaysToSignIn(): WaysToSignIn {
  const [ways, setWays] = useState<WaysToSignIn>({ options: [], passwordsAreOff: false });
  useEffect(() => {
    waysToSignIn().then(setWays, () => undefined);
  }, []);
  return ways;
}
