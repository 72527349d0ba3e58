import { Button, PasswordInput, Stack } from "@mantine/core";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { EmailInput } from "./EmailInput.tsx";
import { signIn } from "./sign-in.ts";

interface Props {
  email: string;
  onSecondFactor: (email: string, mfaToken: string) => void;
  onForgotten: (email: string) => void;
}

export function SignInForm({ email, onSecondFactor, onForgotten }: Props) {
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    const typed = field("email").trim();
    const result = await signIn(typed, field("password"));
    if (result !== "signed-in") onSecondFactor(typed, result.mfaToken);
  });

  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack>
        {error !== undefined && <ErrorAlert error={error} />}
        <EmailInput defaultValue={email} />
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
        <Button
          variant="subtle"
          fullWidth
          onClick={({ currentTarget: { form } }) => {
            const typed = form && new FormData(form).get("email");
            onForgotten(typeof typed === "string" ? typed : "");
          }}
        >
          Forgot password?
        </Button>
      </Stack>
    </form>
  );
}
