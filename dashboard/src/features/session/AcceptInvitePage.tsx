import { Alert, Button, Loader, Stack, TextInput } from "@mantine/core";
import { useState, useEffect } from "react";
import { fieldErrorsOf } from "../../shared/api/field-errors.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { NewPasswordField } from "../../shared/session/PasswordField.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import classes from "./AcceptInvitePage.module.css";
import type { SignInStart } from "./sign-in.ts";
import { SignedOutLayout } from "./SignedOutLayout.tsx";
import { SignInChoices } from "./SignInChoices.tsx";
import { acceptInvite, readInvitation } from "./mail-link-requests.ts";
import { useNewPassword } from "./use-new-password.ts";

interface Props {
  /** The token of the invitation link. Null if the URL has none. */
  token: string | null;
  /** Called with what the sign-in page shows, if the user is not signed in yet. */
  onDone: (start?: SignInStart) => void;
}

/** The page that the link in an invitation mail opens. */
export function AcceptInvitePage({ token, onDone }: Props) {
  const { t } = useTranslation();
  const [isInvalid, setInvalid] = useState(false);
  const { invitation, isLoading } = useInvitation(token);
  // Content that is replaced after the response would move the page.
  if (isLoading)
    return (
      <main className={classes.loading}>
        <Loader aria-label={t("common.loading")} />
      </main>
    );
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
        <SignInChoices invitation={token} onResult={onDone}>
          <AcceptInviteForm
            token={token}
            invitation={invitation}
            onDone={onDone}
            onInvalidLink={() => setInvalid(true)}
          />
        </SignInChoices>
      </SignedOutLayout>
    );
  return (
    <SignedOutLayout title={t("session.inviteTitle")} caption={t("session.inviteTitle")}>
      <Stack>
        <Alert title={t("session.invalidLink")} role="alert">
          {t("session.invalidInviteLink")}
        </Alert>
        <Button variant="default" size="md" fullWidth onClick={() => onDone()}>
          {t("session.toProduct", { product: t("common.product") })}
        </Button>
      </Stack>
    </SignedOutLayout>
  );
}

interface AcceptInviteFormProps {
  token: string;
  /** The invitation of the link. Undefined while it is unknown. */
  invitation: Schemas["Invitation"] | undefined;
  onDone: () => void;
  onInvalidLink: () => void;
}

function AcceptInviteForm({ token, invitation, onDone, onInvalidLink }: AcceptInviteFormProps) {
  const { t, language } = useTranslation();
  const { checked, errorOf } = useNewPassword();
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    const input = { name: field("name").trim(), password: checked(field("password")) };
    if ((await acceptInvite(token, input, language)) === "done") onDone();
    else onInvalidLink();
  });
  const { name } = fieldErrorsOf(error);
  const password = errorOf(error);
  const hasFieldError = name !== undefined || password !== undefined;

  return (
    <form onSubmit={onSubmit} noValidate aria-busy={pending}>
      <Stack>
        {error !== undefined && !hasFieldError && <ErrorAlert error={error} />}
        {invitation && (
          <dl className={classes.facts}>
            <dt>{t("session.account")}</dt>
            <dd>{invitation.email}</dd>
            <dt>{t("session.role")}</dt>
            <dd>{t(`session.roles.${invitation.role}`)}</dd>
          </dl>
        )}
        <TextInput
          label={`${t("session.yourName")} (${t("common.optional")})`}
          description={t("session.yourNameHint")}
          name="name"
          placeholder={invitation?.name}
          autoComplete="name"
          maxLength={200}
          error={name}
          autoFocus
          size="md"
        />
        <NewPasswordField
          label={t("session.password")}
          name="password"
          error={password}
          size="md"
        />
        <Button type="submit" size="md" fullWidth loading={pending}>
          {t("session.join")}
        </Button>
      </Stack>
    </form>
  );
}

/**
 * Loads the invitation of a link. Undefined while it loads, and if it does not load: the form works
 * without it. Null for a link that does not work.
 */
function useInvitation(token: string | null) {
  const [invitation, setInvitation] = useState<Schemas["Invitation"] | null>();
  const [isLoading, setLoading] = useState(token !== null);
  useEffect(() => {
    if (token === null) return;
    readInvitation(token)
      .then(setInvitation, () => undefined)
      .finally(() => setLoading(false));
  }, [token]);
  return { invitation: token === null ? null : invitation, isLoading };
}
