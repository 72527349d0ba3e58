/** Returns the row of a plan that an operation has written. */
export function writtenRow<Row>(
  rows: ReadonlyMap<number, Row>,
  isWritten: (row: Row) => boolean,
): Row {
  const row = rows.values().find(isWritten);
  if (row === undefined) throw new Error("The plan must have the written row");
  return row;
}
