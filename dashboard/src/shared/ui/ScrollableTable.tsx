import { Paper } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import classes from "./ScrollableTable.module.css";

interface Props {
  /** What the table tells. */
  label: string;
  /** The table. */
  children: ReactNode;
}

/** A table in a card. Where it is too wide it scrolls by itself, and then by keyboard, too. */
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
