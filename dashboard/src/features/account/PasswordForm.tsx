import { Button } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { rewordError } from "../../shared/api/reword-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CurrentPasswordField } from "../../shared/session/CurrentPasswordField.tsx";
import { NewPasswordField, PASSWORD_LENGTH } from "../../shared/session/PasswordField.tsx";
import { confirmationOf } from "../../shared/session/own-account.ts";
import { useChangeProfile } from "../../shared/session/use-change-profile.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

interface Props {
  /** Until when the current password is not needed; null if it is (`ConfirmIdentity`). */
  confirmedUntil: string | null;
}

export function PasswordForm({ confirmedUntil }: Props) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const { mutateAsync } = useChangeProfile();
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { currentPassword: "", password: "" },
      validate: {
        ...(confirmedUntil === null && { currentPassword: isNotEmpty(t("common.required")) }),
        password: (typed) =>
          typed.length < PASSWORD_LENGTH.min || typed.length > PASSWORD_LENGTH.max
            ? t("account.passwordLength", PASSWORD_LENGTH)
            : null,
      },
    },
    submit: async ({ currentPassword, password }) => {
      await rewordError(mutateAsync({ password, ...confirmationOf(currentPassword) }), {
        fields: {
          currentPassword: t("account.currentWrong"),
          password: t("session.passwordNotAllowed"),
        },
      });
      form.reset();
      done(t("account.passwordChanged"));
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <CurrentPasswordField
        confirmedUntil={confirmedUntil}
        label={t("account.currentPassword")}
        {...form.getInputProps("currentPassword")}
      />
      <NewPasswordField label={t("session.newPassword")} {...form.getInputProps("password")} />
      <div>
        <Button type="submit" loading={pending} disabled={!form.isDirty()}>
          {t("session.changePassword")}
        </Button>
      </div>
    </ServerForm>
  );
}
