import { randomId } from "@mantine/hooks";
import { DEFAULT_STICKINESS } from "@feature-flags/evaluation/context";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import type { ContextDefinition } from "../../shared/api/types.ts";

/** A row of the form. A row whose value is undefined is not sent. */
export interface ContextRow {
  readonly id: string;
  readonly key: string;
  readonly value: unknown;
  /** The project's definition of the field; undefined for other fields. */
  readonly definition: Pick<ContextDefinition, "id" | "name" | "contextType"> | undefined;
  /** The user added the row, so the key can be edited and the row removed. */
  readonly isCustom: boolean;
}

/** The form starts with at most this many fields; a project may define 200. */
const MAX_DESCRIBED = 12;

/** The rows for a context: the project's fields, then the other keys of the context. */
export function rowsOf(
  context: EvaluationContext,
  definitions: readonly ContextDefinition[],
): ContextRow[] {
  const given = (key: string) => (Object.hasOwn(context, key) ? context[key] : undefined);
  const definedRows = definitions
    .slice(0, MAX_DESCRIBED)
    .map((definition) => rowOf(definition.contextKey, given, definition));
  // A roll-out needs one of the default stickiness fields, so the form always has one.
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

/** The text of a value in its input. */
export const textOf = (value: unknown): string => {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
};

/**
 * Converts the text of an input to the type of its field, if the text is exactly such a value;
 * otherwise returns the text.
 */
export function valueOf(text: string, contextType = "string"): unknown {
  if (text === "") return undefined;
  // `1.0` stays text while the user types `1.05`. Evaluators accept text as a number.
  const number = Number(text);
  if (contextType === "number" && Number.isFinite(number) && String(number) === text) return number;
  if (contextType === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
