import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { isContext } from "./search-params.ts";

/**
 * The maximum number of keys in an evaluation context. The service rejects more (docs/decisions.md,
 * 4.6).
 */
const MAX_KEYS = 100;

type JsonError =
  | { readonly kind: "syntax" }
  | { readonly kind: "place"; readonly line: string; readonly column: string }
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "end" }
  | { readonly kind: "notAnObject" }
  | { readonly kind: "tooMany"; readonly max: number };

export type ParsedContext =
  | { readonly context: EvaluationContext; readonly error?: never }
  | { readonly error: JsonError; readonly context?: never };

export function parseContext(text: string): ParsedContext {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    return { error: jsonErrorOf(error) };
  }
  if (!isContext(value)) return { error: { kind: "notAnObject" } };
  if (Object.keys(value).length > MAX_KEYS) return { error: { kind: "tooMany", max: MAX_KEYS } };
  return { context: value };
}

/**
 * Reads from a JSON syntax error what is wrong: a line and column, an unexpected token, or a text
 * that ends too early. Browsers state this only in the error message, each in its own words.
 */
function jsonErrorOf(error: unknown): JsonError {
  const message = error instanceof Error ? error.message : "";
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined && column !== undefined) return { kind: "place", line, column };
  const [, token] = /^Unexpected token '?([^',]+)/.exec(message) ?? [];
  if (token !== undefined) return { kind: "token", token };
  return { kind: /end of (?:JSON input|data)/.test(message) ? "end" : "syntax" };
}

export const jsonOf = (context: EvaluationContext): string => JSON.stringify(context, null, 2);

/**
 * Returns the keys of an evaluation context whose values the evaluation ignores: lists, objects and
 * null.
 */
export const ignoredFields = (context: EvaluationContext): string[] =>
  Object.keys(context).filter((key) => typeof context[key] === "object");
