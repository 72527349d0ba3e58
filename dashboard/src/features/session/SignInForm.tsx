import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { startTransition, useActionState } from "react";
import type { SubmitEvent } from "react";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { signIn } from "./sign-in.ts";

type Outcome = { kind: "none" } | { kind: "second-factor" } | { kind: "failed"; error: unknown };

async function submit(_previous: Outcome, fields: FormData): Promise<Outcome> {
  try {
    const result = await signIn(text(fields, "email").trim(), text(fields, "password"));
    return { kind: result === "second-factor" ? "second-factor" : "none" };
  } catch (error) {
    return { kind: "failed", error };
  }
}

function text(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
}

export function SignInForm() {
  const [outcome, run, pending] = useActionState(submit, { kind: "none" });

  // Not the form's `action`: React would empty the fields after a failed attempt.
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (pending) return;
    const fields = new FormData(event.currentTarget);
    startTransition(() => run(fields));
  };

  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack>
        {!pending && outcome.kind === "failed" && <ErrorAlert error={outcome.error} />}
        {!pending && outcome.kind === "second-factor" && (
          <Alert color="yellow">
            This account is protected by a second factor, which cannot be entered here yet. Ask an
            administrator for help.
          </Alert>
        )}
        <TextInput
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          autoFocus
          size="md"
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleFocusable
          visibilityToggleButtonProps={{ "aria-label": "Show password" }}
          size="md"
        />
        <Button type="submit" size="md" fullWidth loading={pending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
