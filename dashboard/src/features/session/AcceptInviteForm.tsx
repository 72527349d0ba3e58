import { Button, Stack, TextInput } from "@mantine/core";
import { fieldFaults } from "../../shared/api/field-faults.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useSubmit } from "../../shared/use-submit.ts";
import { acceptInvite } from "./account.ts";
import { NewPasswordInput } from "./NewPasswordInput.tsx";

interface Props {
  token: string;
  onDone: () => void;
  onUseless: () => void;
}

export function AcceptInviteForm({ token, onDone, onUseless }: Props) {
  const { onSubmit, pending, error } = useSubmit(async (field) => {
    const input = { name: field("name").trim(), password: field("password") };
    if ((await acceptInvite(token, input)) === "done") onDone();
    else onUseless();
  });
  const { name, password } = fieldFaults(error);
  const isElsewhere = error !== undefined && name === undefined && password === undefined;

  return (
    <form onSubmit={onSubmit} aria-busy={pending}>
      <Stack>
        {isElsewhere && <ErrorAlert error={error} />}
        <TextInput
          label="Name"
          description="Optional: how others see you here."
          name="name"
          autoComplete="name"
          maxLength={200}
          error={name}
          autoFocus
          size="md"
        />
        <NewPasswordInput label="Password" fault={password} />
        <Button type="submit" size="md" fullWidth loading={pending}>
          Join
        </Button>
      </Stack>
    </form>
  );
}
