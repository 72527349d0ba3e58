import { useMediaQuery } from "@mantine/hooks";

/** Whether the screen is too narrow for tables, so that each row becomes a card. */
export const useIsNarrow = (): boolean =>
  useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
