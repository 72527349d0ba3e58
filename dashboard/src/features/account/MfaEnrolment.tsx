import { Anchor, Code, Group, List, Stack, Text } from "@mantine/core";
import { QRCodeSVG } from "qrcode.react";
import type { Schemas } from "../../shared/api/types.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CopyText } from "../../shared/ui/CopyText.tsx";
import { MfaForm } from "./MfaForm.tsx";
import classes from "./MfaEnrolment.module.css";

interface Props {
  enrolment: Schemas["MfaEnrolment"];
  onCode: (code: string) => Promise<unknown>;
}

/** Sets up the second factor: the QR code or the secret, and a form for the app's first code. */
export function MfaEnrolment({ enrolment: { secret, otpauthUrl }, onCode }: Props) {
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
