import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/**
 * Shown instead of a step of the guided start that the user's role does not allow. States which
 * role may do the step.
 */
export function RoleHint({ children }: { children: ReactNode }) {
  return <Text size="sm">{children}</Text>;
}
