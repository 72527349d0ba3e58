import { parsePositiveInteger } from "../../shared/parse-search-params.ts";

/** What is shown, as it stands in the address. */
interface ApiKeysSearch {
  /** Only the keys of this environment. */
  environment?: number;
}

export function validateApiKeysSearch(raw: Record<string, unknown>): ApiKeysSearch {
  const environment = parsePositiveInteger(raw["environment"]);
  return environment === undefined ? {} : { environment };
}
