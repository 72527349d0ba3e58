import { isObject } from "@feature-flags/file/json";
import { Refusal } from "../report.ts";
import { object, optional } from "../schema.ts";

/** An operation of JsonLogic. */
export interface Operation {
  readonly operator: string;
  readonly args: readonly unknown[];
  /** Whether the arguments are a list, which only `!`, `!!` and `var` do not need. */
  readonly isList: boolean;
}

/** Returns the operation of an expression; undefined for a plain value. Throws: Refusal. */
export function operationOf(expression: unknown): Operation | undefined {
  if (!isObject(expression)) return undefined;
  const [entry, ...others] = Object.entries(expression);
  if (!entry || others.length > 0) throw unsupported("{}");
  const [operator, args] = entry;
  const isList = Array.isArray(args);
  return { operator, args: isList ? (args as unknown[]) : [args], isList };
}

export const unsupported = (operator: string) => new Refusal("logic", { operator });

/** How many references may be inside each other. */
const MAX_DEPTH = 10;

/**
 * Returns an expression in which the evaluators replace the references to them. Throws: Refusal for an
 * unknown evaluator, for one that refers to itself, and for evaluators that cannot be read.
 */
export function withEvaluators(expression: unknown, evaluators: unknown, depth = 0): unknown {
  const within = (value: unknown): unknown => withEvaluators(value, evaluators, depth);
  if (Array.isArray(expression)) return expression.map(within);
  if (!isObject(expression)) return expression;
  const { $ref: name, ...others } = expression;
  if (typeof name === "string" && Object.keys(others).length === 0) {
    const known = optional(object)(evaluators, "/$evaluators") ?? {};
    if (!Object.hasOwn(known, name) || depth >= MAX_DEPTH)
      throw new Refusal("unknownReference", { name });
    return withEvaluators(known[name], evaluators, depth + 1);
  }
  return Object.fromEntries(Object.entries(expression).map(([key, one]) => [key, within(one)]));
}
