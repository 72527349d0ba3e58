import { Button, Stack, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { fieldErrorsOf, toInvalidFieldsError } from "../../shared/api/field-errors.ts";
import { NewPasswordField } from "../../shared/session/PasswordField.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { acceptInvite } from "./mail-link-requests.ts";

interface Props {
  token: string;
  onDone: () => void;
  onInvalidLink: () => void;
}

export function AcceptInviteForm({ token, onDone, onInvalidLink }: Props) {
  const { t, i18n } = useTranslation();
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    const input = { name: field("name").trim(), password: field("password") };
    if ((await acceptInvite(token, input, i18n.language)) === "done") onDone();
    else onInvalidLink();
  });
  const { name, password } = fieldErrorsOf(error);
  const hasOtherError = name === undefined && password === undefined;

  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack>
        {error !== undefined && (
          <ErrorAlert error={hasOtherError ? error : toInvalidFieldsError(error)} />
        )}
        <TextInput
          label={t("session.yourName")}
          description={t("session.yourNameHint")}
          name="name"
          autoComplete="name"
          maxLength={200}
          error={name}
          autoFocus
          size="md"
        />
        <NewPasswordField
          label={t("session.password")}
          name="password"
          error={password !== undefined && t("session.passwordNotAllowed")}
          size="md"
        />
        <Button type="submit" size="md" fullWidth loading={pending}>
          {t("session.join")}
        </Button>
      </Stack>
    </form>
  );
}
