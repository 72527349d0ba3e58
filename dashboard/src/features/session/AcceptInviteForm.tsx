import { Button, Stack, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { fieldErrorsOf } from "../../shared/api/field-errors.ts";
import { NewPasswordField } from "../../shared/session/PasswordField.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { acceptInvite } from "./mail-link-requests.ts";
import { useNewPassword } from "./use-new-password.ts";

interface Props {
  token: string;
  onDone: () => void;
  onInvalidLink: () => void;
}

export function AcceptInviteForm({ token, onDone, onInvalidLink }: Props) {
  const { t, i18n } = useTranslation();
  const { checked, errorOf } = useNewPassword();
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    const input = { name: field("name").trim(), password: checked(field("password")) };
    if ((await acceptInvite(token, input, i18n.language)) === "done") onDone();
    else onInvalidLink();
  });
  const { name } = fieldErrorsOf(error);
  const password = errorOf(error);
  const hasFieldError = name !== undefined || password !== undefined;

  return (
    <form onSubmit={onSubmit} noValidate aria-busy={pending}>
      <Stack>
        {error !== undefined && !hasFieldError && <ErrorAlert error={error} />}
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
