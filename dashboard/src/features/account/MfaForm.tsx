import { Button, Text, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import type { ReactNode } from "react";
import { rewordError } from "../../shared/api/reword-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ConfirmIdentity } from "../../shared/session/ConfirmIdentity.tsx";
import { CurrentPasswordField } from "../../shared/session/CurrentPasswordField.tsx";
import { confirmationOf } from "../../shared/session/own-account.ts";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { DialogFooter } from "../../shared/ui/DialogFooter.tsx";

interface Values {
  /** Absent if the user has confirmed at an identity provider, or the form has no such input. */
  currentPassword?: string;
  /** Empty if the form has no such input. */
  code: string;
}

interface Props {
  /** The text of the submit button. */
  label: string;
  /**
   * The inputs of the form. While the user sets up the second factor, there are no recovery codes
   * yet, so `app code` asks only for a code of the authenticator app.
   */
  asks: "password" | "app code" | "password and code";
  isDangerous?: boolean;
  /** Sends the values to the service. */
  onValues: (values: Values) => Promise<unknown>;
  children?: ReactNode;
}

/** A form of the second factor: for the current password, for a code, or for both. */
export function MfaForm(props: Props) {
  if (props.asks === "app code") return <Fields confirmedUntil={null} {...props} />;
  return (
    <ConfirmIdentity>
      {(confirmedUntil) => <Fields confirmedUntil={confirmedUntil} {...props} />}
    </ConfirmIdentity>
  );
}

function Fields({
  label,
  asks,
  isDangerous = false,
  onValues,
  children,
  confirmedUntil,
}: Props & { confirmedUntil: string | null }) {
  const { t } = useTranslation();
  const asksPassword = asks !== "app code";
  const asksCode = asks !== "password";
  const required = isNotEmpty(t("common.required"));
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { currentPassword: "", code: "" },
      validate: {
        ...(asksPassword && confirmedUntil === null && { currentPassword: required }),
        ...(asksCode && { code: required }),
      },
    },
    submit: ({ currentPassword, code }) =>
      rewordError(onValues({ ...confirmationOf(currentPassword), code: code.trim() }), {
        fields: { currentPassword: t("account.currentWrong"), code: t("account.codeWrong") },
      }),
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      {children !== undefined && <Text size="sm">{children}</Text>}
      {asksPassword && (
        <CurrentPasswordField
          confirmedUntil={confirmedUntil}
          label={t("account.password")}
          data-autofocus
          {...form.getInputProps("currentPassword")}
        />
      )}
      {asksCode && (
        <TextInput
          label={t("session.code")}
          description={t(asksPassword ? "account.codeHint" : "session.codeHint")}
          inputMode={asksPassword ? "text" : "numeric"}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          required
          withAsterisk={false}
          autoFocus={!asksPassword}
          {...form.getInputProps("code")}
        />
      )}
      <DialogFooter>
        <Button type="submit" loading={pending} {...(isDangerous && { color: "red" })}>
          {label}
        </Button>
      </DialogFooter>
    </ServerForm>
  );
}
