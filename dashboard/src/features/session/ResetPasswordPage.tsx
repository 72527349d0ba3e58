import { Alert } from "@mantine/core";
import { useState } from "react";
import { EntryFrame } from "../../shared/ui/EntryFrame.tsx";
import { ForgotPasswordForm } from "./ForgotPasswordForm.tsx";
import { ResetPasswordForm } from "./ResetPasswordForm.tsx";

interface Props {
  /** Null when the link was opened without its token. */
  token: string | null;
  /** Takes what the sign-in page should tell. */
  onDone: (notice?: string) => void;
}

/** Where the link to a new password leads. */
export function ResetPasswordPage({ token, onDone }: Props) {
  const [useless, setUseless] = useState(false);
  if (token !== null && !useless)
    return (
      <EntryFrame caption="Choose a new password">
        <ResetPasswordForm
          token={token}
          onDone={() => onDone("Your password was changed. Sign in with the new one.")}
          onUseless={() => setUseless(true)}
        />
      </EntryFrame>
    );
  return (
    <EntryFrame caption="Reset your password">
      <Alert title="This link does not work" mb="md">
        It was used before, is older than an hour, or is incomplete. Ask for a new one:
      </Alert>
      <ForgotPasswordForm email="" onBack={() => onDone()} />
    </EntryFrame>
  );
}
