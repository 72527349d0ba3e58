import { fullRequest } from "../../shared/session/long-request.ts";
import {
  type ProviderOutcome,
  validateProviderOutcome,
} from "../../shared/session/provider-outcome.ts";

export interface AuthorizeSearch extends ProviderOutcome {
  /** The query with which the OAuth client has opened the page (`keepAuthorizationQuery`). */
  request?: string | undefined;
}

export const validateAuthorizeSearch = (raw: Record<string, unknown>): AuthorizeSearch => ({
  ...validateProviderOutcome(raw),
  request: typeof raw["request"] === "string" ? fullRequest(raw["request"]) : undefined,
});
