import { Button, Text, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import type { ReactNode } from "react";
import { rewordError } from "../../shared/api/reword-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CurrentPasswordField } from "../../shared/session/CurrentPasswordField.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { DialogFooter } from "../../shared/ui/DialogFooter.tsx";

interface Values {
  currentPassword: string;
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
  /** Sends the values to the service. The value of an input that the form does not have is "". */
  onValues: (values: Values) => Promise<unknown>;
  children?: ReactNode;
}

/** A form of the second factor: for the current password, for a code, or for both. */
export function MfaForm({ label, asks, isDangerous = false, onValues, children }: Props) {
  const { t } = useTranslation();
  const asksPassword = asks !== "app code";
  const asksCode = asks !== "password";
  const required = isNotEmpty(t("common.required"));
  const { form, pending, error, onSubmit } = useServerForm<Values & Record<string, unknown>>({
    form: {
      initialValues: { currentPassword: "", code: "" },
      validate: {
        ...(asksPassword && { currentPassword: required }),
        ...(asksCode && { code: required }),
      },
    },
    submit: ({ currentPassword, code }) =>
      rewordError(onValues({ currentPassword, code: code.trim() }), {
        fields: { currentPassword: t("account.currentWrong"), code: t("account.codeWrong") },
      }),
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      {children !== undefined && <Text size="sm">{children}</Text>}
      {asksPassword && (
        <CurrentPasswordField
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
