import type { QueryClient } from "@tanstack/react-query";
import { contextValuesQuery } from "../../shared/data/project-lists.ts";
import { type ContextRow, valueOf } from "./context-rows.ts";

/** Example values by context type, for context fields without known and suggested values. */
const EXAMPLES: Readonly<Record<string, string>> = {
  string: "example",
  number: "1",
  boolean: "true",
  date: "2026-01-31",
  semver: "1.0.0",
  // RFC 5737 reserves this IP address for documentation.
  ip: "192.0.2.1",
};

const EXAMPLE_ID = "user-1";

/**
 * Returns the rows with example values: the first known value of the context field, otherwise a
 * value suggested from the rules, otherwise a fixed example. A removable row without a context
 * definition keeps its value.
 */
export const withExampleValues = (
  queryClient: QueryClient,
  rows: readonly ContextRow[],
  suggestedValues: ReadonlyMap<string, readonly string[]>,
): Promise<ContextRow[]> =>
  Promise.all(
    rows.map(async (row) => {
      if (!row.definition) return row.isCustom ? row : { ...row, value: row.value ?? EXAMPLE_ID };
      const { id, contextType } = row.definition;
      const known = async () =>
        (await queryClient.ensureQueryData(contextValuesQuery(id))).at(0)?.value;
      const text =
        (await known()) ??
        suggestedValues.get(row.key)?.[0] ??
        (isId(row.key) ? EXAMPLE_ID : EXAMPLES[contextType]) ??
        "";
      return { ...row, value: valueOf(text, contextType) };
    }),
  );

const isId = (key: string): boolean => /id$|key$/i.test(key);
