import { Alert, Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { AcceptInviteForm } from "./AcceptInviteForm.tsx";
import { SignedOutLayout } from "./SignedOutLayout.tsx";
import { useInvitation } from "./use-invitation.ts";

interface Props {
  /** The token of the invitation link. Null if the URL has none. */
  token: string | null;
  onDone: () => void;
}

/** The page that the link in an invitation mail opens. */
export function AcceptInvitePage({ token, onDone }: Props) {
  const { t } = useTranslation();
  const [isInvalid, setInvalid] = useState(false);
  const invitation = useInvitation(token);
  if (token !== null && invitation !== null && !isInvalid)
    return (
      <SignedOutLayout
        title={t("session.inviteTitle")}
        caption={
          typeof invitation?.invitedBy === "string"
            ? t("session.invitedBy", { inviter: invitation.invitedBy })
            : t("session.inviteCaption")
        }
      >
        <AcceptInviteForm
          token={token}
          invitation={invitation}
          onDone={onDone}
          onInvalidLink={() => setInvalid(true)}
        />
      </SignedOutLayout>
    );
  return (
    <SignedOutLayout title={t("session.inviteTitle")} caption={t("session.inviteTitle")}>
      <Stack>
        <Alert title={t("session.invalidLink")} role="alert">
          {t("session.invalidInviteLink")}
        </Alert>
        <Button variant="default" size="md" fullWidth onClick={onDone}>
          {t("session.toProduct", { product: t("common.product") })}
        </Button>
      </Stack>
    </SignedOutLayout>
  );
}
