import { Tooltip, type TooltipProps } from "@mantine/core";

/** The tooltip with the name of an icon in the collapsed navigation. */
export const SideTip = ({ label, children }: Pick<TooltipProps, "label" | "children">) => (
  <Tooltip label={label} position="right" events={{ hover: true, focus: true, touch: false }}>
    {children}
  </Tooltip>
);
