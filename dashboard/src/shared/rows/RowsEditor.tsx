import { Button, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useEffect } from "react";
import { INVALID, useFocusIn } from "../ui/use-focus-in.ts";
import classes from "./RowsEditor.module.css";
import type { Row } from "./use-rows.ts";

interface Props<R extends Row> {
  rows: readonly R[];
  onChange: (rows: R[]) => void;
  newRow: () => R;
  /** Renders one row. `number` is its position, starting at 1. */
  children: (row: R, handlers: RowHandlers<R>) => ReactNode;
  add: string;
  /** The number of rows at which `full` replaces the add button. */
  max: number;
  full: string;
  /** The number of attempts to save that found errors. When it grows, the first error is focused. */
  failures: number;
}

interface RowHandlers<R> {
  readonly number: number;
  readonly onChange: (row: R) => void;
  readonly onRemove: () => void;
}

/** A list of rows in a form. The user adds and removes rows; the focus follows. */
export function RowsEditor<R extends Row>(props: Props<R>) {
  const { rows, onChange, newRow, children, add, max, full, failures } = props;
  const { root, focus } = useFocusIn<HTMLDivElement>();

  useEffect(() => {
    if (failures > 0) root.current?.querySelector<HTMLElement>(INVALID)?.focus();
  }, [failures, root]);

  const append = () => {
    const added = newRow();
    onChange([...rows, added]);
    focus(`[data-row="${added.id}"] input`);
  };
  const remove = (at: number) => {
    const left = rows.toSpliced(at, 1);
    const neighbour = left[at] ?? left.at(-1);
    onChange(left);
    focus(neighbour === undefined ? "[data-add]" : `[data-row="${neighbour.id}"] input`);
  };

  return (
    <div ref={root} className={classes.editor}>
      {rows.length > 0 && (
        <ol className={classes.list}>
          {rows.map((row, index) => (
            <li key={row.id} data-row={row.id}>
              {children(row, {
                number: index + 1,
                onChange: (next) => onChange(rows.with(index, next)),
                onRemove: () => remove(index),
              })}
            </li>
          ))}
        </ol>
      )}
      {rows.length < max ? (
        <Button
          data-add
          className={classes.add ?? ""}
          variant="default"
          size="sm"
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={append}
        >
          {add}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          {full}
        </Text>
      )}
    </div>
  );
}
