import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { parseOneOf, parsePage, parsePositiveInteger } from "../../shared/parse-search-params.ts";

/** The search parameters of the playground. */
export interface PlaygroundSearch {
  environment?: number;
  search?: string;
  only?: "on" | "off";
  /** The page number, starting at 1. Undefined for page 1. */
  page?: number;
  context?: EvaluationContext;
}

/**
 * The URL contains a context only up to this length in characters, because some programs cut off
 * longer URLs.
 */
const MAX_CONTEXT_LENGTH = 1_000;

export const validatePlaygroundSearch = (raw: Record<string, unknown>): PlaygroundSearch => {
  const { search, context } = raw;
  const environment = parsePositiveInteger(raw["environment"]);
  const only = parseOneOf(["on", "off"], raw["only"]);
  const page = parsePage(raw["page"]);
  return {
    ...(environment !== undefined && { environment }),
    ...(typeof search === "string" && search !== "" && { search }),
    ...(only && { only }),
    ...(page !== undefined && { page }),
    ...(isContext(context) && fitsUrl(context) && { context }),
  };
};

/** Whether the URL can contain the context: it must not be empty, and not too long. */
const fitsUrl = (context: EvaluationContext): boolean =>
  Object.keys(context).length > 0 && JSON.stringify(context).length <= MAX_CONTEXT_LENGTH;

export const isContext = (value: unknown): value is EvaluationContext =>
  typeof value === "object" && value !== null && !Array.isArray(value);
