import { Button, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { publicApi } from "../../shared/api/public-client.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { goToProvider, openPath, type SignOnOption } from "../../shared/session/sign-on.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import type { SignInStart } from "./sign-in-start.ts";
import { signInBehindAccess, signOnOptions } from "./sign-on-requests.ts";

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
}

/** A button for each identity provider. Belongs below a form, because the list loads after it. */
export function SignOnButtons({ hint, ...props }: Props) {
  const { t } = useTranslation();
  const options = useSignOnOptions();
  if (options.length === 0) return null;
  return (
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
  );
}

function SignOnButton({
  option: { slug, name, type },
  invitation,
  onResult,
}: Omit<Props, "hint"> & { option: SignOnOption }) {
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

/** Returns the identity providers. Empty while they load, and if they do not load. */
function useSignOnOptions(): readonly SignOnOption[] {
  const [options, setOptions] = useState<readonly SignOnOption[]>([]);
  useEffect(() => {
    signOnOptions().then(setOptions, () => undefined);
  }, []);
  return options;
}
