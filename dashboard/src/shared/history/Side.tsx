import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./Diff.module.css";

interface Props {
  sign: "−" | "+";
  /** The meaning of the sign, for screen readers. */
  hint: string;
  children: ReactNode;
}

/** A value before (−) or after (+) a change. The sign repeats the meaning of the colour. */
export function Side({ sign, hint, children }: Props) {
  const Element = sign === "−" ? "del" : "ins";
  return (
    <Element className={`${classes.side} ${sign === "−" ? classes.removed : classes.added}`}>
      <span className={classes.sign} aria-hidden>
        {sign}
      </span>
      <VisuallyHidden>{hint} </VisuallyHidden>
      <div>{children}</div>
    </Element>
  );
}
