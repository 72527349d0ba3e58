import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { hasCode } from "../../shared/api/api-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { PasskeyButton } from "./PasskeyButton.tsx";
import { type SecondStep, verifyCode } from "./sign-in.ts";

interface Props extends SecondStep {
  /** Called when the MFA token has expired. The user must enter the password again. */
  onExpired: () => void;
  onBack: () => void;
}

/** The input for each kind of code. The service accepts both kinds in the same field. */
const FIELDS = {
  app: {
    label: "session.code",
    description: "session.codeHint",
    inputMode: "numeric",
    autoComplete: "one-time-code",
    other: "session.useRecoveryCode",
  },
  recovery: {
    label: "session.recoveryCode",
    description: "session.recoveryCodeHint",
    inputMode: "text",
    autoComplete: "off",
    other: "session.useApp",
  },
} as const;

/** Asks for a code or a passkey, whichever the account has. */
export function SecondFactorForm({ secondFactors, onBack, ...props }: Props) {
  const { t } = useTranslation();
  const hasCodes = secondFactors.includes("totp");
  return (
    <>
      {hasCodes ? (
        <CodeForm {...props} />
      ) : (
        <Text size="sm" mb="md">
          {t("session.passkeyHint")}
        </Text>
      )}
      {secondFactors.includes("passkey") && <PasskeyButton isOnlyWay={!hasCodes} {...props} />}
      <Button variant="subtle" fullWidth mt="md" onClick={onBack}>
        {t("session.back")}
      </Button>
    </>
  );
}

function CodeForm({ mfaToken, onExpired }: Omit<Props, "secondFactors" | "onBack">) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<keyof typeof FIELDS>("app");
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    if ((await verifyCode(mfaToken, field("code"))) === "expired") onExpired();
  });
  const isWrong = hasCode(error, "INVALID_CREDENTIALS");
  const { label, description, inputMode, autoComplete, other } = FIELDS[kind];

  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack>
        {error !== undefined && !isWrong && <ErrorAlert error={error} />}
        <TextInput
          key={kind}
          label={t(label)}
          description={t(description)}
          inputMode={inputMode}
          autoComplete={autoComplete}
          name="code"
          error={isWrong && t("session.codeWrong")}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          required
          withAsterisk={false}
          autoFocus
          size="md"
        />
        <Button type="submit" size="md" fullWidth loading={pending}>
          {t("session.signIn")}
        </Button>
        <Button
          variant="subtle"
          fullWidth
          onClick={() => setKind(kind === "app" ? "recovery" : "app")}
        >
          {t(other)}
        </Button>
      </Stack>
    </form>
  );
}
