import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { parseOneOf, parsePage, parsePositiveInteger } from "../../shared/parse-search-params.ts";

export interface PlaygroundSearch {
  environment?: number;
  search?: string;
  /** The key of the flag whose explanation is open when the page loads. */
  flag?: string;
  only?: "on" | "off";
  /** The page number of the list of flags, starting at 1. Undefined for page 1. */
  page?: number;
  context?: EvaluationContext;
}

/** The longest context in the URL, in characters of JSON. Some programs cut off long URLs. */
const MAX_CONTEXT_LENGTH = 1_000;

export const validatePlaygroundSearch = (raw: Record<string, unknown>): PlaygroundSearch => {
  const { search, flag, context } = raw;
  const environment = parsePositiveInteger(raw["environment"]);
  const only = parseOneOf(["on", "off"], raw["only"]);
  const page = parsePage(raw["page"]);
  return {
    ...(environment !== undefined && { environment }),
    ...(typeof search === "string" && search !== "" && { search }),
    ...(typeof flag === "string" && flag !== "" && { flag }),
    ...(only && { only }),
    ...(page !== undefined && { page }),
    ...(isContext(context) && fitsUrl(context) && { context }),
  };
};

/** The context must not be empty, and its JSON text must not be too long. */
const fitsUrl = (context: EvaluationContext): boolean =>
  Object.keys(context).length > 0 && JSON.stringify(context).length <= MAX_CONTEXT_LENGTH;

export const isContext = (value: unknown): value is EvaluationContext =>
  typeof value === "object" && value !== null && !Array.isArray(value);
