import type { CSSProperties } from "react";
import classes from "./UsageChart.module.css";
import type { UsagePart } from "./usage-parts.ts";

interface Props {
  part: Pick<UsagePart, "color" | "isHatched">;
  style?: CSSProperties;
}

/** A small area that looks like a part of the bars: in its colour, and solid or hatched. */
export function UsageSwatch({ part: { color, isHatched }, style }: Props) {
  return (
    <span
      className={classes.swatch}
      data-hatched={isHatched || undefined}
      style={isHatched ? style : { backgroundColor: color, ...style }}
      aria-hidden
    />
  );
}
