import { Button, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { hasCode } from "../../shared/api/api-error.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { verifyCode } from "./sign-in.ts";

interface Props {
  mfaToken: string;
  /** The password has to be entered again. */
  onExpired: () => void;
  onBack: () => void;
}

/** Either kind of code passes in either field: recovery codes need letters on the keys of a phone. */
const FIELDS = {
  app: {
    label: "Code",
    description: "The 6 digits that your authenticator app shows.",
    inputMode: "numeric",
    autoComplete: "one-time-code",
  },
  recovery: {
    label: "Recovery code",
    description: "One of the codes that you kept when you set up the second factor.",
    inputMode: "text",
    autoComplete: "off",
  },
} as const;

export function SecondFactorForm({ mfaToken, onExpired, onBack }: Props) {
  const [kind, setKind] = useState<keyof typeof FIELDS>("app");
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    if ((await verifyCode(mfaToken, field("code"))) === "expired") onExpired();
  });
  const isWrong = hasCode(error, "INVALID_CREDENTIALS");

  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack>
        {error !== undefined && !isWrong && <ErrorAlert error={error} />}
        <TextInput
          key={kind}
          {...FIELDS[kind]}
          name="code"
          error={isWrong && "This code is wrong, or was used before."}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          required
          withAsterisk={false}
          autoFocus
          size="md"
        />
        <Button type="submit" size="md" fullWidth loading={pending}>
          Sign in
        </Button>
        <Button
          variant="subtle"
          fullWidth
          onClick={() => setKind(kind === "app" ? "recovery" : "app")}
        >
          {kind === "app" ? "Use a recovery code" : "Use the authenticator app"}
        </Button>
        <Button variant="subtle" fullWidth onClick={onBack}>
          Back to sign-in
        </Button>
      </Stack>
    </form>
  );
}
