import { KEY_TYPES } from "@feature-flags/permissions/permissions";
import type { ApiKey } from "../../shared/api/types.ts";
import { parseOneOf, parsePositiveInteger, parseText } from "../../shared/parse-search-params.ts";

/** The filters of the list of API keys. */
export interface ApiKeysSearch {
  /** Lists only the API keys whose name contains this text. */
  search?: string | undefined;
  /** Lists only the API keys of this environment. */
  environment?: number | undefined;
  type?: ApiKey["keyType"] | undefined;
}

export const validateApiKeysSearch = (raw: Record<string, unknown>): ApiKeysSearch => ({
  search: parseText(raw["search"]),
  environment: parsePositiveInteger(raw["environment"]),
  type: parseOneOf(KEY_TYPES, raw["type"]),
});
