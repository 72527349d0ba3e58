import { parseOneOf } from "../parse-search-params.ts";
import { parseProblem, type SignOnProblem } from "./sign-on.ts";

/** How a visit to an identity provider went, which the service adds to the URL of the page. */
export interface ProviderOutcome {
  /** What the provider has done. */
  signOn?: "link" | "confirm" | undefined;
  /** Why the provider has not done it. */
  problem?: SignOnProblem | undefined;
}

export const validateProviderOutcome = (raw: Record<string, unknown>): ProviderOutcome => ({
  signOn: parseOneOf(["link", "confirm"], raw["signOn"]),
  problem: parseProblem(raw["problem"]),
});
