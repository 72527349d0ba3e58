import type { PasswordInputProps } from "@mantine/core";
import { useCurrentSession } from "./current-session.tsx";
import { PasswordField } from "./PasswordField.tsx";

/** An input for the password with which the signed-in user confirms a change. */
export function CurrentPasswordField(props: PasswordInputProps) {
  const { user } = useCurrentSession();
  return (
    <>
      {/* This hidden input tells password managers which account the password belongs to. */}
      <input hidden readOnly autoComplete="username" value={user.email} />
      <PasswordField {...props} />
    </>
  );
}
