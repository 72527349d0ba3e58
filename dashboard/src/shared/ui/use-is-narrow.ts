import { useMediaQuery } from "@mantine/hooks";

/** Whether the row of a table has no room, and is a card. */
export const useIsNarrow = (): boolean =>
  useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
