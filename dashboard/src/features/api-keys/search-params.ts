import { parsePositiveInteger } from "../../shared/parse-search-params.ts";

interface ApiKeysSearch {
  /** Lists only the API keys of this environment. */
  environment?: number;
}

export function validateApiKeysSearch(raw: Record<string, unknown>): ApiKeysSearch {
  const environment = parsePositiveInteger(raw["environment"]);
  return environment === undefined ? {} : { environment };
}
