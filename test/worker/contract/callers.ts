import type { Permission } from "@feature-flags/permissions/permissions";

/** `READ_ONLY` is a SERVER key that cannot write. */
export const CALLERS = ["VIEWER", "DEVELOPER", "ADMIN", "SERVER", "READ_ONLY", "FRONTEND"] as const;
export type Caller = (typeof CALLERS)[number];

/** Groups of callers in the permission tables of docs/decisions.md, 3.2 and 3.4. */
const ADMINS = ["ADMIN"] as const;
const EDITORS = ["DEVELOPER", ...ADMINS] as const;
const PEOPLE = ["VIEWER", ...EDITORS] as const;
const READERS = [...PEOPLE, "SERVER", "READ_ONLY"] as const;

/**
 * The callers that have each permission (docs/decisions.md, 3.2 and 3.4). Written by hand, so that
 * a change of the permission map fails a test.
 */
export const HOLDERS: Readonly<Record<Permission, readonly Caller[]>> = {
  "project:read": READERS,
  "project:write": ADMINS,
  "environment:read": READERS,
  "environment:write": ADMINS,
  "protection:write": ADMINS,
  "protection:bypass": ADMINS,
  "change-request:read": READERS,
  "change-request:write": [...EDITORS, "SERVER"],
  "change-request:review": EDITORS,
  "flag:read": READERS,
  "flag:write": EDITORS,
  "strategy:read": READERS,
  "strategy:write": [...EDITORS, "SERVER"],
  "segment:read": READERS,
  "segment:write": EDITORS,
  "tag:read": READERS,
  "tag:write": EDITORS,
  "context:read": READERS,
  "context:write": EDITORS,
  "api-key:read": READERS,
  "api-key:write": ADMINS,
  "integration:read": READERS,
  "integration:write": ADMINS,
  "metrics:read": READERS,
  "user:read-names": PEOPLE,
  "user:read": ADMINS,
  "user:write": ADMINS,
  "settings:read": ADMINS,
  "settings:write": ADMINS,
  "audit:read": READERS,
  "audit:read-all": ADMINS,
  "session:own": PEOPLE,
  "rules:read": ["SERVER", "READ_ONLY"],
  "rules:evaluate": ["SERVER", "READ_ONLY", "FRONTEND"],
  "usage:report": ["SERVER", "READ_ONLY", "FRONTEND"],
};
