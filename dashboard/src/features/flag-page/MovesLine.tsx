import { Text } from "@mantine/core";
import { type MovesInput, useMovesText } from "./use-moves-text.ts";

/**
 * Says which share of users get another value after a change. Keeps its height while the share is
 * unknown.
 */
export function MovesLine(props: MovesInput) {
  const text = useMovesText(props);
  return (
    <Text size="sm" fw={600} mih="1.5em" role="status">
      {text}
    </Text>
  );
}
