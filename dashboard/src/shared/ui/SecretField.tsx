import { Group, TextInput } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  /** Visible label. */
  label?: string;
  /** Accessible name, when there is no visible label. */
  "aria-label"?: string;
  secret: string;
  /** The user copied the secret with the keyboard or the context menu. */
  onCopy?: () => void;
  /** The copy button. */
  children: ReactNode;
}

/** A read-only field with a secret, and a copy button beside it. */
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
