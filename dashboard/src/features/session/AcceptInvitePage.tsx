import { Alert, Button, Stack } from "@mantine/core";
import { useState } from "react";
import { EntryFrame } from "../../shared/ui/EntryFrame.tsx";
import { AcceptInviteForm } from "./AcceptInviteForm.tsx";

interface Props {
  /** Null when the link was opened without its token. */
  token: string | null;
  onDone: () => void;
}

/** Where the link of an invitation leads. */
export function AcceptInvitePage({ token, onDone }: Props) {
  const [useless, setUseless] = useState(false);
  if (token !== null && !useless)
    return (
      <EntryFrame caption="You are invited. Choose a password to join.">
        <AcceptInviteForm token={token} onDone={onDone} onUseless={() => setUseless(true)} />
      </EntryFrame>
    );
  return (
    <EntryFrame caption="Invitation">
      <Stack>
        <Alert title="This link does not work">
          It was used before, is older than 7 days, or is incomplete. Open it from the mail again,
          or ask an administrator for a new invitation.
        </Alert>
        <Button variant="default" size="md" fullWidth onClick={onDone}>
          Go to Feature Flags
        </Button>
      </Stack>
    </EntryFrame>
  );
}
