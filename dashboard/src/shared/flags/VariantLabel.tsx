import type { ReactNode } from "react";
import classes from "./VariantLabel.module.css";

interface Props {
  /** The colour of the variant, from `variantColors`. */
  color: string;
  children: ReactNode;
}

/** The key of a variant after a dot in the colour of the variant. */
export function VariantLabel({ color, children }: Props) {
  return (
    <span className={classes.variant}>
      <span className={classes.swatch} style={{ backgroundColor: color }} aria-hidden />
      <span>{children}</span>
    </span>
  );
}
