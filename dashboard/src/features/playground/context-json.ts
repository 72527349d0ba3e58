import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { type JsonSyntaxError, parseJson } from "../../shared/json/parse-json.ts";
import { isContext } from "./search-params.ts";

/** The service rejects more keys in an evaluation context (docs/build/decisions.md, 4.6). */
const MAX_KEYS = 100;

type JsonError =
  | JsonSyntaxError
  | { readonly kind: "notAnObject" }
  | { readonly kind: "tooMany"; readonly max: number };

export type ParsedContext =
  | { readonly context: EvaluationContext; readonly error?: never }
  | { readonly error: JsonError; readonly context?: never };

export function parseContext(text: string): ParsedContext {
  const { value, error } = parseJson(text.trim() === "" ? "{}" : text);
  if (error) return { error };
  if (!isContext(value)) return { error: { kind: "notAnObject" } };
  if (Object.keys(value).length > MAX_KEYS) return { error: { kind: "tooMany", max: MAX_KEYS } };
  return { context: value };
}

/** Returns the keys whose values the evaluation ignores: lists, objects and null. */
export const ignoredFields = (context: EvaluationContext): string[] =>
  Object.keys(context).filter((key) => typeof context[key] === "object");
