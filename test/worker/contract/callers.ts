import type { Permission, Role } from "@feature-flags/permissions/permissions";

/**
 * `MEMBER` and `PROJECT_ADMIN` are viewers in the organisation, and developer and administrator in the
 * project. `READ_ONLY` is a SERVER key that cannot write.
 */
export const CALLERS = [
  "VIEWER",
  "MEMBER",
  "DEVELOPER",
  "PROJECT_ADMIN",
  "ADMIN",
  "SERVER",
  "READ_ONLY",
  "FRONTEND",
] as const;
export type Caller = (typeof CALLERS)[number];

/** The roles of the callers that are users: in the organisation, and in the project as a member. */
export const ROLES_OF = {
  VIEWER: { role: "VIEWER", there: undefined },
  MEMBER: { role: "VIEWER", there: "DEVELOPER" },
  DEVELOPER: { role: "DEVELOPER", there: undefined },
  PROJECT_ADMIN: { role: "VIEWER", there: "ADMIN" },
  ADMIN: { role: "ADMIN", there: undefined },
} as const satisfies Partial<Record<Caller, { role: Role; there: Role | undefined }>>;

/** Groups of callers in the permission tables of docs/decisions.md, 3.2 and 3.4. */
const ORGANISATION = ["ADMIN"] as const;
const ADMINS = ["PROJECT_ADMIN", ...ORGANISATION] as const;
const EDITORS = ["MEMBER", "DEVELOPER", ...ADMINS] as const;
export const PEOPLE = ["VIEWER", ...EDITORS] as const;
const READERS = [...PEOPLE, "SERVER", "READ_ONLY"] as const;

/**
 * The callers that have each permission (docs/decisions.md, 3.2 and 3.4). Written by hand, so that
 * a change of the permission map fails a test.
 */
export const HOLDERS: Readonly<Record<Permission, readonly Caller[]>> = {
  "project:read": READERS,
  "project:create": ORGANISATION,
  "project:write": ADMINS,
  "member:read": PEOPLE,
  "member:write": ADMINS,
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
  "user:read": ORGANISATION,
  "user:write": ORGANISATION,
  "settings:read": ORGANISATION,
  "settings:write": ORGANISATION,
  "audit:read": READERS,
  "audit:read-all": ORGANISATION,
  "session:own": PEOPLE,
  "rules:read": ["SERVER", "READ_ONLY"],
  "rules:evaluate": ["SERVER", "READ_ONLY", "FRONTEND"],
  "usage:report": ["SERVER", "READ_ONLY", "FRONTEND"],
};
