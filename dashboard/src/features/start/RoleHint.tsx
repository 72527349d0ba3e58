import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/** Shown instead of a step that the user's role does not allow. States which role does. */
export function RoleHint({ children }: { children: ReactNode }) {
  return <Text size="sm">{children}</Text>;
}
