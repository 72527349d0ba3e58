import { ROLES } from "@feature-flags/permissions/permissions";
import type { User } from "../../shared/api/types.ts";
import { every } from "../../shared/every.ts";
import { type ListSearch, validateListSearch } from "../../shared/list/list-search-params.ts";
import { parseOneOf } from "../../shared/parse-search-params.ts";

export const STATUSES = every<User["status"]>()(["ACTIVE", "INVITED", "DISABLED"]);

export interface UsersSearch extends ListSearch {
  role?: User["role"] | undefined;
  status?: User["status"] | undefined;
}

export const validateUsersSearch = (raw: Record<string, unknown>): UsersSearch => ({
  ...validateListSearch(raw),
  role: parseOneOf(ROLES, raw["role"]),
  status: parseOneOf(STATUSES, raw["status"]),
});
