import { Button, Stack, TextInput } from "@mantine/core";
import type { Schemas } from "../../shared/api/types.ts";
import { fieldErrorsOf } from "../../shared/api/field-errors.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { NewPasswordField } from "../../shared/session/PasswordField.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import classes from "./AcceptInviteForm.module.css";
import { acceptInvite } from "./mail-link-requests.ts";
import { useNewPassword } from "./use-new-password.ts";

interface Props {
  token: string;
  /** Undefined while it is not known. */
  invitation: Schemas["Invitation"] | undefined;
  onDone: () => void;
  onInvalidLink: () => void;
}

export function AcceptInviteForm({ token, invitation, onDone, onInvalidLink }: Props) {
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
