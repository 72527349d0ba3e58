import { parsePositiveInteger } from "../../shared/parse-search-params.ts";

/** Search parameters of the page. */
interface ApiKeysSearch {
  /** Only the keys of this environment. */
  environment?: number;
}

export function validateApiKeysSearch(raw: Record<string, unknown>): ApiKeysSearch {
  const environment = parsePositiveInteger(raw["environment"]);
  return environment === undefined ? {} : { environment };
}
