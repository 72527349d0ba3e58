import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/**
 * The text that replaces a step of the guided start if the role of the user does not allow the
 * step. States which role may do the step.
 */
export function RoleHint({ children }: { children: ReactNode }) {
  return <Text size="sm">{children}</Text>;
}
