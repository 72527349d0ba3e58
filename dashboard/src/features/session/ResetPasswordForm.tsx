import { Button, Stack } from "@mantine/core";
import { fieldFaults } from "../../shared/api/field-faults.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { resetPassword } from "./account.ts";
import { NewPasswordInput } from "./NewPasswordInput.tsx";

interface Props {
  token: string;
  onDone: () => void;
  onUseless: () => void;
}

export function ResetPasswordForm({ token, onDone, onUseless }: Props) {
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    if ((await resetPassword(token, field("password"))) === "done") onDone();
    else onUseless();
  });
  const { password } = fieldFaults(error);

  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack>
        {error !== undefined && password === undefined && <ErrorAlert error={error} />}
        <NewPasswordInput label="New password" fault={password} autoFocus />
        <Button type="submit" size="md" fullWidth loading={pending}>
          Change password
        </Button>
      </Stack>
    </form>
  );
}
