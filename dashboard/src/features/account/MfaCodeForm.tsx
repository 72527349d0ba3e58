import { Button, Group, Text, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { rewordError } from "../../shared/api/reword-error.ts";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

interface Props {
  /** The text of the submit button. */
  label: string;
  /**
   * True while the user sets up the second factor. The user has no recovery codes yet, so the form
   * asks only for a code of the authenticator app.
   */
  isEnrolling?: boolean;
  isDangerous?: boolean;
  onCode: (code: string) => Promise<unknown>;
  children?: ReactNode;
}

/**
 * A form with one input, for a code of the authenticator app or for a recovery code. `onCode` sends
 * the code to the service.
 */
export function MfaCodeForm({
  label,
  isEnrolling = false,
  isDangerous = false,
  onCode,
  children,
}: Props) {
  const { t } = useTranslation();
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { code: "" },
      validate: { code: isNotEmpty(t("common.required")) },
    },
    submit: ({ code }) =>
      rewordError(onCode(code.trim()), { fields: { code: t("account.codeWrong") } }),
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      {children !== undefined && <Text size="sm">{children}</Text>}
      <TextInput
        label={t("session.code")}
        description={t(isEnrolling ? "session.codeHint" : "account.codeHint")}
        inputMode={isEnrolling ? "numeric" : "text"}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        required
        withAsterisk={false}
        data-autofocus
        {...form.getInputProps("code")}
      />
      <Group justify="flex-end">
        <Button type="submit" loading={pending} {...(isDangerous && { color: "red" })}>
          {label}
        </Button>
      </Group>
    </ServerForm>
  );
}
