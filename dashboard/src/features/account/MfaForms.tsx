import { Button, Text, TextInput, Anchor, Code, Group, List, Stack } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { IconDownload } from "@tabler/icons-react";
import { QRCodeSVG } from "qrcode.react";
import type { ReactNode } from "react";
import { rewordError } from "../../shared/api/reword-error.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { saveText } from "../../shared/save-text.ts";
import { ConfirmIdentity } from "../../shared/session/ConfirmIdentity.tsx";
import { CurrentPasswordField } from "../../shared/session/CurrentPasswordField.tsx";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import { confirmationOf } from "../../shared/session/own-account.ts";
import { CopyText } from "../../shared/ui/CopyText.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { DialogFooter } from "../../shared/ui/DialogFooter.tsx";
import classes from "./MfaForms.module.css";

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

interface MfaEnrolmentProps {
  enrolment: Schemas["MfaEnrolment"];
  onCode: (code: string) => Promise<unknown>;
}

/** Sets up the second factor: the QR code or the secret, and a form for the app's first code. */
export function MfaEnrolment({ enrolment: { secret, otpauthUrl }, onCode }: MfaEnrolmentProps) {
  const { t } = useTranslation();
  return (
    <Stack>
      <List type="ordered" size="sm" spacing="xs" classNames={{ itemWrapper: classes.item }}>
        <List.Item>{t("account.mfaInstall")}</List.Item>
        <List.Item>
          {t("account.mfaScan")}
          <div className={classes.qr}>
            <QRCodeSVG value={otpauthUrl} size={184} marginSize={2} title={t("account.mfaQr")} />
          </div>
          <Text size="sm">
            <Trans
              i18nKey="account.mfaType"
              components={{ app: <Anchor inherit underline="always" href={otpauthUrl} /> }}
            />
          </Text>
          <Group gap="xs" mt={4}>
            <Code fz="sm" className={classes.secret}>
              {secret.replace(/(.{4})(?=.)/g, "$1 ")}
            </Code>
            <CopyText size="compact-sm" value={secret} label={t("account.mfaCopySecret")} />
          </Group>
        </List.Item>
        <List.Item>{t("account.mfaConfirm")}</List.Item>
      </List>
      <MfaForm
        label={t("account.mfaTurnOn")}
        asks="app code"
        onValues={({ code }) => onCode(code)}
      />
    </Stack>
  );
}

interface RecoveryCodesProps {
  codes: readonly string[];
  onDone: () => void;
}

/** Shows new recovery codes, which the service returns only once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { user } = useCurrentSession();
  const download = () => {
    const title = `${t("common.product")}: ${t("account.codes")}`;
    const lines = [title, user.email, date(new Date().toISOString()), "", ...codes, ""];
    saveText("feature-flags-recovery-codes.txt", lines.join("\n"));
  };
  return (
    <Stack>
      <Text size="sm">{t("account.codesText")}</Text>
      <ul className={classes.codes} aria-label={t("account.codes")}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyText size="compact-sm" value={codes.join("\n")} label={t("account.codesCopy")} />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={download}
        >
          {t("account.codesDownload")}
        </Button>
      </Group>
      <DialogFooter>
        <Button onClick={onDone} data-autofocus>
          {t("account.codesKept")}
        </Button>
      </DialogFooter>
    </Stack>
  );
}
