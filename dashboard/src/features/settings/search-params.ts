import { parseOneOf, parseText } from "../../shared/parse-search-params.ts";

/** The result of a test, with which the service sends the browser back. */
export interface SignOnSearch {
  /** The slug of the provider that was tested. */
  provider?: string | undefined;
  signOn?: "test" | undefined;
  /** Why a new user could not sign in. */
  problem?: string | undefined;
}

export const validateSignOnSearch = (raw: Record<string, unknown>): SignOnSearch => ({
  provider: parseText(raw["provider"]),
  signOn: parseOneOf(["test"], raw["signOn"]),
  problem: parseText(raw["problem"]),
});
