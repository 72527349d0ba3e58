import { randomId } from "@mantine/hooks";
import { DEFAULT_STICKINESS } from "@feature-flags/evaluation/context";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import type { ContextDefinition } from "../../shared/api/types.ts";

/** One field of the form; undefined values are not sent. */
export interface ContextRow {
  readonly id: string;
  readonly key: string;
  readonly value: unknown;
  /** The project describes it; undefined: a field of the person's own. */
  readonly definition: Pick<ContextDefinition, "id" | "name" | "contextType"> | undefined;
  /** Its name can be changed, and it can be taken away. */
  readonly isFree: boolean;
}

/** A project may describe 200 fields; more than these are added when they are wanted. */
const MAX_DESCRIBED = 12;

/** The rows of a form that holds the context: those that the project describes, then the others. */
export function rowsOf(
  context: EvaluationContext,
  definitions: readonly ContextDefinition[],
): ContextRow[] {
  const given = (key: string) => (Object.hasOwn(context, key) ? context[key] : undefined);
  const described = definitions
    .slice(0, MAX_DESCRIBED)
    .map((definition) => rowOf(definition.contextKey, given, definition));
  // Without one of these no roll-out can be drawn, so there is always one to fill in.
  const isDrawn = definitions.some(({ contextKey }) => isDefaultStickiness(contextKey));
  const rows = isDrawn ? described : [rowOf(DEFAULT_STICKINESS[0], given), ...described];
  const shown = new Set(rows.map(({ key }) => key));
  const others = Object.keys(context).filter((key) => !shown.has(key));
  return [...rows, ...others.map((key) => freeRow(definitions, key, context[key]))];
}

const isDefaultStickiness = (key: string): boolean =>
  DEFAULT_STICKINESS.some((field) => field === key);

const rowOf = (
  key: string,
  given: (key: string) => unknown,
  definition?: ContextDefinition,
): ContextRow => ({ id: key, key, value: given(key), definition, isFree: false });

export const freeRow = (
  definitions: readonly ContextDefinition[],
  key = "",
  value?: unknown,
): ContextRow => ({
  id: randomId(),
  key,
  value,
  definition: definitions.find(({ contextKey }) => contextKey === key),
  isFree: true,
});

export const contextOf = (rows: readonly ContextRow[]): EvaluationContext =>
  Object.fromEntries(
    rows.filter(({ key, value }) => key !== "" && value !== undefined).map((r) => [r.key, r.value]),
  );

/** A value as it stands in its input. */
export const textOf = (value: unknown): string => {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** What an input holds, in the type of its field where the text is exactly such a value. */
export function valueOf(text: string, contextType = "string"): unknown {
  if (text === "") return undefined;
  // `1.0` stays text, on its way to `1.05`; evaluators take it all the same.
  const number = Number(text);
  if (contextType === "number" && Number.isFinite(number) && String(number) === text) return number;
  if (contextType === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
