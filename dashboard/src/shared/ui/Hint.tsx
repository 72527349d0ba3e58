import type { TooltipProps } from "@mantine/core";
import { deferred } from "./deferred.tsx";

/** A tooltip whose code loads after the page is shown. */
export const Hint = deferred<TooltipProps>(
  async () => (await import("./HintTooltip.tsx")).HintTooltip,
  ({ children }) => children,
);
