import { Group, TextInput } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  /** The name of the secret, to be seen. */
  label?: string;
  /** The same where it is not to be seen. */
  "aria-label"?: string;
  secret: string;
  /** It was copied by hand. */
  onCopy?: () => void;
  /** The button that copies it. */
  children: ReactNode;
}

/** A secret to be read and copied, with the button beside it. */
export function SecretField({ secret, children, ...field }: Props) {
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        flex={1}
        value={secret}
        readOnly
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        onFocus={({ currentTarget }) => currentTarget.select()}
        {...field}
      />
      {children}
    </Group>
  );
}
