import { Table, type TableProps, type TableThProps } from "@mantine/core";
import type { ReactNode } from "react";
import { ScrollableTable } from "./ScrollableTable.tsx";

interface Props extends TableProps {
  /** The accessible name of the table while the table scrolls sideways. */
  label: string;
  /** The cells of the header row: a `Column` each. */
  head: ReactNode;
  children: ReactNode;
}

/** A table in a card, with a header row. */
export function DataTable({ label, head, children, ...table }: Props) {
  return (
    <ScrollableTable label={label}>
      <Table verticalSpacing="sm" horizontalSpacing="md" {...table}>
        <Table.Thead>
          <Table.Tr>{head}</Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </ScrollableTable>
  );
}

export function Column(props: TableThProps) {
  return <Table.Th scope="col" {...props} />;
}
