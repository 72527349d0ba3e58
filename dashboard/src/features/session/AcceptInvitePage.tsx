import { Alert, Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AcceptInviteForm } from "./AcceptInviteForm.tsx";
import { SignedOutLayout } from "./SignedOutLayout.tsx";

interface Props {
  /** Null when the link was opened without its token. */
  token: string | null;
  onDone: () => void;
}

/** Where the link of an invitation leads. */
export function AcceptInvitePage({ token, onDone }: Props) {
  const { t } = useTranslation();
  const [useless, setUseless] = useState(false);
  if (token !== null && !useless)
    return (
      <SignedOutLayout title={t("session.inviteTitle")} caption={t("session.inviteCaption")}>
        <AcceptInviteForm token={token} onDone={onDone} onInvalidLink={() => setUseless(true)} />
      </SignedOutLayout>
    );
  return (
    <SignedOutLayout title={t("session.inviteTitle")} caption={t("session.inviteTitle")}>
      <Stack>
        <Alert title={t("session.uselessLink")} role="alert">
          {t("session.uselessInvite")}
        </Alert>
        <Button variant="default" size="md" fullWidth onClick={onDone}>
          {t("session.toProduct", { product: t("common.product") })}
        </Button>
      </Stack>
    </SignedOutLayout>
  );
}
