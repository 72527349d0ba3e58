import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/** Says which role may do a step that the user's role does not allow. */
export function RoleHint({ children }: { children: ReactNode }) {
  return <Text size="sm">{children}</Text>;
}
