import { Input, type PasswordInputProps, Text } from "@mantine/core";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { ConfirmButtons } from "./ConfirmIdentity.tsx";
import { useCurrentSession } from "./current-session.tsx";
import { PasswordField } from "./PasswordField.tsx";

interface Props extends PasswordInputProps {
  /** Until when a confirmation by an identity provider replaces the password; null without one. */
  confirmedUntil: string | null;
}

/**
 * How the signed-in user confirms a change, inside `ConfirmIdentity`: with the password, or at an
 * identity provider. Leaving for the provider loses what was typed.
 */
export function CurrentPasswordField({ confirmedUntil, ...props }: Props) {
  const { user } = useCurrentSession();
  if (confirmedUntil !== null) return <Confirmed until={confirmedUntil} error={props.error} />;
  return (
    <>
      {/* This hidden input tells password managers which account the password belongs to. */}
      <input hidden readOnly autoComplete="username" value={user.email} />
      <PasswordField {...props} />
      <ConfirmButtons />
    </>
  );
}

function Confirmed({ until, error }: { until: string; error: PasswordInputProps["error"] }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t("account.confirmedUntil", { time: time(until) })}
      </Text>
      {error !== undefined && error !== null && (
        <Input.Error role="alert">{t("account.confirmAgain")}</Input.Error>
      )}
    </div>
  );
}
