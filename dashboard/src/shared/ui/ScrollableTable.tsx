import { Paper } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import classes from "./ScrollableTable.module.css";

interface Props {
  /** The accessible name of the scrollable region. */
  label: string;
  children: ReactNode;
}

/**
 * A card for a table. A table that is wider than the card scrolls sideways, and the card is
 * focusable then, so that users can also scroll by keyboard.
 */
export function ScrollableTable({ label, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [isScrollable, setScrollable] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (!current) return undefined;
    const observer = new ResizeObserver(() =>
      setScrollable(current.scrollWidth > current.clientWidth),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <Paper
      ref={box}
      withBorder
      radius="md"
      className={classes.wide}
      {...(isScrollable && { role: "region", "aria-label": label, tabIndex: 0 })}
    >
      {children}
    </Paper>
  );
}
