import { Group, TextInput } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  /** The visible label of the field. */
  label?: string;
  description?: string;
  /** The accessible name of a field without a visible label. */
  "aria-label"?: string;
  secret: string;
  /** Called when the user copies the secret with the keyboard or the context menu. */
  onCopy?: () => void;
  /** The copy button beside the field. */
  children: ReactNode;
}

/** The secret is selected when the field takes the focus. */
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
