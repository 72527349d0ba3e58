import { parsePositiveInteger } from "../../shared/parse-search-params.ts";

/** The URL search parameters of the API keys page. */
interface ApiKeysSearch {
  /**
   * The id of the environment whose API keys the page lists. If missing, the page lists the API
   * keys of all environments.
   */
  environment?: number;
}

export function validateApiKeysSearch(raw: Record<string, unknown>): ApiKeysSearch {
  const environment = parsePositiveInteger(raw["environment"]);
  return environment === undefined ? {} : { environment };
}
