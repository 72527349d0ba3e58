import { randomId } from "@mantine/hooks";
import { DEFAULT_STICKINESS } from "@feature-flags/evaluation/context";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import type { ContextDefinition } from "../../shared/api/types.ts";

/** A row whose value is undefined is not part of the evaluation context. */
export interface ContextRow {
  readonly id: string;
  readonly key: string;
  readonly value: unknown;
  /** The context definition of the project for this key. Undefined if the project has none. */
  readonly definition: Pick<ContextDefinition, "id" | "name" | "contextType"> | undefined;
  /** True for a row that is not always shown. The user can edit its key, and remove it. */
  readonly isCustom: boolean;
}

/** The form always shows rows for this many context definitions; a project may have 200. */
const MAX_DESCRIBED = 12;

/** Returns the rows that the form always shows, then the other keys of the context. */
export function rowsOf(
  context: EvaluationContext,
  definitions: readonly ContextDefinition[],
): ContextRow[] {
  const given = (key: string) => (Object.hasOwn(context, key) ? context[key] : undefined);
  const definedRows = definitions
    .slice(0, MAX_DESCRIBED)
    .map((definition) => rowOf(definition.contextKey, given, definition));
  // By default, a percentage roll-out needs one of the fields in `DEFAULT_STICKINESS`. If the
  // project defines none of these fields, add a row for the first field.
  const hasStickinessRow = definitions.some(({ contextKey }) => isDefaultStickiness(contextKey));
  const rows = hasStickinessRow
    ? definedRows
    : [rowOf(DEFAULT_STICKINESS[0], given), ...definedRows];
  const shown = new Set(rows.map(({ key }) => key));
  const others = Object.keys(context).filter((key) => !shown.has(key));
  return [...rows, ...others.map((key) => customRow(definitions, key, context[key]))];
}

const isDefaultStickiness = (key: string): boolean =>
  DEFAULT_STICKINESS.some((field) => field === key);

const rowOf = (
  key: string,
  given: (key: string) => unknown,
  definition?: ContextDefinition,
): ContextRow => ({ id: key, key, value: given(key), definition, isCustom: false });

export const customRow = (
  definitions: readonly ContextDefinition[],
  key = "",
  value?: unknown,
): ContextRow => ({
  id: randomId(),
  key,
  value,
  definition: definitions.find(({ contextKey }) => contextKey === key),
  isCustom: true,
});

export const contextOf = (rows: readonly ContextRow[]): EvaluationContext =>
  Object.fromEntries(
    rows.filter(({ key, value }) => key !== "" && value !== undefined).map((r) => [r.key, r.value]),
  );

/** Returns the text that the input of a context field shows for a value. */
export const textOf = (value: unknown): string => {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
};

/**
 * Converts the text of an input into a value of the context field's type. Returns the text itself
 * if the conversion is impossible or would lose characters, and undefined if the text is empty.
 */
export function valueOf(text: string, contextType = "string"): unknown {
  if (text === "") return undefined;
  // Keep texts such as `1.0`, because a conversion to 1 would prevent the user from typing `1.05`.
  // The evaluation accepts a number as text.
  const number = Number(text);
  if (contextType === "number" && Number.isFinite(number) && String(number) === text) return number;
  if (contextType === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
