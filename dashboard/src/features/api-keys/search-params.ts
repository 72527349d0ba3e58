import { parsePositiveInteger } from "../../shared/parse-search-params.ts";

/** The search parameters of the API keys page. */
interface ApiKeysSearch {
  /** The page lists only the API keys of this environment. */
  environment?: number;
}

export function validateApiKeysSearch(raw: Record<string, unknown>): ApiKeysSearch {
  const environment = parsePositiveInteger(raw["environment"]);
  return environment === undefined ? {} : { environment };
}
