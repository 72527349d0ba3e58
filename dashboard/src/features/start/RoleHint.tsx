import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/** Replaces a step that the user's role does not allow, and says which role may do it. */
export function RoleHint({ children }: { children: ReactNode }) {
  return <Text size="sm">{children}</Text>;
}
