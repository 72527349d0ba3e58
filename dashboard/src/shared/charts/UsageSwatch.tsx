import type { CSSProperties } from "react";
import classes from "./UsageChart.module.css";

/** A small area in the colour of a part of the bars. */
export function UsageSwatch({ color, style }: { color: string; style?: CSSProperties }) {
  return (
    <span className={classes.swatch} style={{ backgroundColor: color, ...style }} aria-hidden />
  );
}
