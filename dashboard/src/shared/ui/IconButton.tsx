import { ActionIcon, type ActionIconProps, Tooltip } from "@mantine/core";
import type { ComponentPropsWithRef } from "react";

interface Props
  extends ActionIconProps, Omit<ComponentPropsWithRef<"button">, keyof ActionIconProps> {
  /** The accessible name of the button and the text of its tooltip. */
  label: string;
}

/** A button that shows only an icon, its child. */
export function IconButton({ label, ...button }: Props) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" aria-label={label} {...button} />
    </Tooltip>
  );
}
