import { useMediaQuery } from "@mantine/hooks";

/** 48em or narrower. Lists render cards instead of table rows then. */
export const useIsNarrow = (): boolean =>
  useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
