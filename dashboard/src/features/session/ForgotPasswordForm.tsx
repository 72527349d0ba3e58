import { Alert, Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { forgotPassword } from "./account.ts";
import { EmailInput } from "./EmailInput.tsx";
import classes from "./ForgotPasswordForm.module.css";

/** Tells the same whatever the address: nobody learns here who has an account. */
export function ForgotPasswordForm({ email, onBack }: { email: string; onBack: () => void }) {
  const [sentTo, setSentTo] = useState<string>();
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    const typed = field("email").trim();
    await forgotPassword(typed);
    setSentTo(typed);
  });
  const back = (
    <Button variant="subtle" fullWidth onClick={onBack}>
      Back to sign-in
    </Button>
  );

  if (sentTo !== undefined)
    return (
      <Stack>
        <Alert title="Look into your mailbox" className={classes.sent}>
          If there is an account for {sentTo}, a mail with a link is on its way. The link works
          once, for an hour.
        </Alert>
        {back}
      </Stack>
    );

  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack>
        {error !== undefined && <ErrorAlert error={error} />}
        <Text size="sm">You get a mail with a link to choose a new password.</Text>
        <EmailInput defaultValue={email} />
        <Button type="submit" size="md" fullWidth loading={pending}>
          Send the link
        </Button>
        {back}
      </Stack>
    </form>
  );
}
