import { VisuallyHidden } from "@mantine/core";
import type { ComponentProps } from "react";
import frame from "./row.module.css";

interface Props extends ComponentProps<"fieldset"> {
  legend: string;
}

/** The frame around the inputs of one row. `className` sets the columns of its grid. */
export function RowFieldset({ legend, className, children, ...props }: Props) {
  return (
    // Two classes instead of `composes: frame from`, with which Vite warns that it does not know the
    // file of the declarations.
    <fieldset className={`${frame.frame} ${className}`} {...props}>
      <VisuallyHidden component="legend">{legend}</VisuallyHidden>
      {children}
    </fieldset>
  );
}
