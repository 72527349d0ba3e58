import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { isContext } from "./search.ts";

/** Of decisions 4.6, as the service has it for a request to evaluate. */
const MAX_KEYS = 100;

type Fault =
  | { readonly kind: "syntax" }
  | { readonly kind: "place"; readonly line: string; readonly column: string }
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "end" }
  | { readonly kind: "notAnObject" }
  | { readonly kind: "tooMany"; readonly max: number };

export type ParsedContext =
  | { readonly context: EvaluationContext; readonly fault?: never }
  | { readonly fault: Fault; readonly context?: never };

export function parseContext(text: string): ParsedContext {
  let value: unknown;
  try {
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    return { fault: faultOf(error) };
  }
  if (!isContext(value)) return { fault: { kind: "notAnObject" } };
  if (Object.keys(value).length > MAX_KEYS) return { fault: { kind: "tooMany", max: MAX_KEYS } };
  return { context: value };
}

/** Browsers tell in their messages only where a fault is: some its place, some the letter. */
function faultOf(error: unknown): Fault {
  const message = error instanceof Error ? error.message : "";
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined && column !== undefined) return { kind: "place", line, column };
  const [, token] = /^Unexpected token '?([^',]+)/.exec(message) ?? [];
  if (token !== undefined) return { kind: "token", token };
  return { kind: /end of (?:JSON input|data)/.test(message) ? "end" : "syntax" };
}

export const jsonOf = (context: EvaluationContext): string => JSON.stringify(context, null, 2);

/** Fields that no constraint and no roll-out can read. */
export const unreadFields = (context: EvaluationContext): string[] =>
  Object.keys(context).filter((key) => typeof context[key] === "object");
