import { parseOneOf } from "../../shared/parse-search-params.ts";
import { parseProblem, type SignOnProblem } from "../../shared/session/sign-on.ts";

/** How a visit to an identity provider went, which the service adds to the URL of the page. */
export interface ProfileSearch {
  /** What the provider has done. */
  signOn?: "link" | undefined;
  /** Why the provider has not done it. */
  problem?: SignOnProblem | undefined;
}

export const validateProfileSearch = (raw: Record<string, unknown>): ProfileSearch => ({
  signOn: parseOneOf(["link"], raw["signOn"]),
  problem: parseProblem(raw["problem"]),
});
