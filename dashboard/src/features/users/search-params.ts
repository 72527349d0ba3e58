import type { User } from "../../shared/api/types.ts";
import { type ListSearch, validateListSearch } from "../../shared/list/list-search-params.ts";
import { parseOneOf } from "../../shared/parse-search-params.ts";

export const ROLES = ["ADMIN", "DEVELOPER", "VIEWER"] as const satisfies readonly User["role"][];
export const STATUSES = [
  "ACTIVE",
  "INVITED",
  "DISABLED",
] as const satisfies readonly User["status"][];

export interface UsersSearch extends ListSearch {
  role?: User["role"] | undefined;
  status?: User["status"] | undefined;
}

export const validateUsersSearch = (raw: Record<string, unknown>): UsersSearch => ({
  ...validateListSearch(raw),
  role: parseOneOf(ROLES, raw["role"]),
  status: parseOneOf(STATUSES, raw["status"]),
});
