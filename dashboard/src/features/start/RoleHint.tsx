import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/** Says who does what this person's role does not allow. */
export function RoleHint({ children }: { children: ReactNode }) {
  return <Text size="sm">{children}</Text>;
}
