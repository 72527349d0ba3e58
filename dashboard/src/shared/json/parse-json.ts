import { inexactNumber } from "@feature-flags/evaluation/json-numbers";

/** What is wrong with a text that is not JSON. */
export type JsonSyntaxError =
  | { readonly kind: "syntax" }
  | { readonly kind: "place"; readonly line: string; readonly column: string }
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "end" }
  /** The text is JSON, but a number in it would be rounded. */
  | { readonly kind: "rounded"; readonly number: string };

export type ParsedJson =
  | { readonly value: unknown; readonly error?: never }
  | { readonly error: JsonSyntaxError; readonly value?: never };

export function parseJson(text: string): ParsedJson {
  try {
    const value: unknown = JSON.parse(text);
    const number = inexactNumber(text);
    return number === undefined ? { value } : { error: { kind: "rounded", number } };
  } catch (error) {
    return { error: syntaxErrorOf(error) };
  }
}

/**
 * Finds the cause of a JSON syntax error: a line and column, an unexpected token, or a text that
 * ends too early. Browsers state the cause only in the error message, and each browser words it
 * differently.
 */
function syntaxErrorOf(error: unknown): JsonSyntaxError {
  const message = error instanceof Error ? error.message : "";
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined && column !== undefined) return { kind: "place", line, column };
  const [, token] = /^Unexpected token '?([^',]+)/.exec(message) ?? [];
  if (token !== undefined) return { kind: "token", token };
  return { kind: /end of (?:JSON input|data)/.test(message) ? "end" : "syntax" };
}

/** Formats a JSON value with line breaks and indentation. */
export const formatJson = (value: unknown): string => JSON.stringify(value, null, 2);
