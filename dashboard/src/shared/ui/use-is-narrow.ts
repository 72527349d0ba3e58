import { useMediaQuery } from "@mantine/hooks";

/**
 * Whether the screen is too narrow for tables: 48em or narrower. Lists render cards instead of
 * table rows then.
 */
export const useIsNarrow = (): boolean =>
  useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
