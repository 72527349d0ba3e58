import { Alert, Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { forgotPassword } from "./mail-link-requests.ts";
import { EmailInput } from "./EmailInput.tsx";

/** Shows the same text for every address, so that nobody learns which have an account. */
export function ForgotPasswordForm({ email, onBack }: { email: string; onBack: () => void }) {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string>();
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    const typed = field("email").trim();
    await forgotPassword(typed);
    setSentTo(typed);
  });
  const back = (
    <Button variant="subtle" fullWidth onClick={onBack}>
      {t("session.back")}
    </Button>
  );

  if (sentTo !== undefined)
    return (
      <Stack>
        <Alert title={t("session.sentTitle")} role="status" style={{ overflowWrap: "anywhere" }}>
          {t("session.sent", { email: sentTo })}
        </Alert>
        {back}
      </Stack>
    );

  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack>
        {error !== undefined && <ErrorAlert error={error} />}
        <Text size="sm">{t("session.resetHint")}</Text>
        <EmailInput defaultValue={email} />
        <Button type="submit" size="md" fullWidth loading={pending}>
          {t("session.sendLink")}
        </Button>
        {back}
      </Stack>
    </form>
  );
}
