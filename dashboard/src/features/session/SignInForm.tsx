import { Button, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { PasswordField } from "../../shared/session/PasswordField.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { EmailInput } from "./EmailInput.tsx";
import { type SecondStep, signIn } from "./sign-in.ts";

interface Props {
  email: string;
  /** True if only the user `email` may sign in. The form then shows the address as text. */
  isFixed?: boolean;
  onSecondFactor: (email: string, step: SecondStep) => void;
  onForgotten?: (email: string) => void;
}

export function SignInForm({ email, isFixed = false, onSecondFactor, onForgotten }: Props) {
  const { t } = useTranslation();
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    const typed = field("email").trim();
    const result = await signIn(typed, field("password"));
    if (result !== "signed-in") onSecondFactor(typed, result.secondStep);
  });

  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack>
        {error !== undefined && <ErrorAlert error={error} />}
        {isFixed ? <FixedEmail email={email} /> : <EmailInput defaultValue={email} />}
        <PasswordField
          label={t("session.password")}
          name="password"
          autoFocus={email !== ""}
          size="md"
        />
        <Button type="submit" size="md" fullWidth loading={pending}>
          {t("session.signIn")}
        </Button>
        {onForgotten && (
          <Button
            variant="subtle"
            fullWidth
            onClick={({ currentTarget: { form } }) => {
              const typed = form && new FormData(form).get("email");
              onForgotten(typeof typed === "string" ? typed.trim() : "");
            }}
          >
            {t("session.forgot")}
          </Button>
        )}
      </Stack>
    </form>
  );
}

/** The hidden input tells password managers to which account the password belongs. */
function FixedEmail({ email }: { email: string }) {
  const { t } = useTranslation();
  return (
    <Text size="sm" style={{ overflowWrap: "anywhere" }}>
      {t("session.account")} <strong>{email}</strong>
      <input hidden readOnly name="email" autoComplete="username" value={email} />
    </Text>
  );
}
