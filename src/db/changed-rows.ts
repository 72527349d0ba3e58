import type { Pausing } from "@feature-flags/evaluation/pausing";

/** The rows of one table that a change creates, updates and deletes. */
export interface ChangedRows<Row> {
  readonly created: readonly Row[];
  readonly updated: readonly { readonly before: Row; readonly after: Row }[];
  readonly deleted: readonly number[];
}

interface Versioned {
  readonly version: number;
}

/** Returns the rows whose versions differ, and those that only one of the maps has. */
export function* changedPairs<Key, Row extends Versioned>(
  before: ReadonlyMap<Key, Row>,
  after: ReadonlyMap<Key, Row>,
): Pausing<{ readonly before: Row | undefined; readonly after: Row | undefined }[]> {
  const pairs = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    yield;
    const pair = { before: before.get(key), after: after.get(key) };
    if (pair.before?.version !== pair.after?.version) pairs.push(pair);
  }
  return pairs;
}

export function* changedRows<Row extends Versioned & { readonly id: number }>(
  before: ReadonlyMap<number, Row>,
  after: ReadonlyMap<number, Row>,
): Pausing<ChangedRows<Row>> {
  const pairs = yield* changedPairs(before, after);
  return {
    created: pairs.flatMap((pair) => (pair.before ? [] : (pair.after ?? []))),
    updated: pairs.flatMap((pair) =>
      pair.before && pair.after ? [{ before: pair.before, after: pair.after }] : [],
    ),
    deleted: pairs.flatMap((pair) => (pair.before && !pair.after ? pair.before.id : [])),
  };
}
