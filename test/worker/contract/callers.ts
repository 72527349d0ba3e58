import {
  type Permission,
  type Role,
  type Scope,
  SCOPES,
} from "@feature-flags/permissions/permissions";

/**
 * `MEMBER` and `PROJECT_ADMIN` are viewers in the organisation, and developer and administrator in the
 * project. `READ_ONLY` is a SERVER key that cannot write. The callers `…_TOKEN` are tokens of an
 * administrator with one scope. `SERVICE` is an administrator of the project with a token of all scopes.
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
  "READ_TOKEN",
  "WRITE_TOKEN",
  "APPROVE_TOKEN",
  "ADMIN_TOKEN",
  "SERVICE",
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

/** The callers that are API keys, which alone may call the client API. */
export const KEYS: readonly Caller[] = ["SERVER", "READ_ONLY", "FRONTEND"];

/** The scopes of the callers with a token. */
export const SCOPES_OF = {
  READ_TOKEN: ["read"],
  WRITE_TOKEN: ["write"],
  APPROVE_TOKEN: ["approve"],
  ADMIN_TOKEN: ["admin"],
  SERVICE: SCOPES,
} as const satisfies Partial<Record<Caller, readonly Scope[]>>;
export const TOKENS = Object.keys(SCOPES_OF) as (keyof typeof SCOPES_OF)[];

/** Groups of callers in the permission tables of docs/build/decisions.md, 3.2 and 3.4. */
const ORGANISATION = ["ADMIN"] as const;
const ADMINS = ["PROJECT_ADMIN", ...ORGANISATION] as const;
const EDITORS = ["MEMBER", "DEVELOPER", ...ADMINS] as const;
export const PEOPLE = ["VIEWER", ...EDITORS] as const;
const READING = ["READ_TOKEN", "WRITE_TOKEN", "ADMIN_TOKEN"] as const;
const OWNERS = [...PEOPLE, ...READING, "SERVICE"] as const;
const READERS = [...OWNERS, "SERVER", "READ_ONLY"] as const;
const WRITERS = [...EDITORS, "WRITE_TOKEN", "SERVICE"] as const;
const MANAGERS = [...ADMINS, "ADMIN_TOKEN", "SERVICE"] as const;
const ORGANISERS = [...ORGANISATION, "ADMIN_TOKEN"] as const;

/**
 * The callers that have each permission (docs/build/decisions.md, 3.2 and 3.4). Written by hand, so
 * that a change of the permission map fails a test.
 */
export const HOLDERS: Readonly<Record<Permission, readonly Caller[]>> = {
  "project:read": READERS,
  "project:create": ORGANISERS,
  "project:write": MANAGERS,
  "project:export": READERS,
  "project:apply": WRITERS,
  "member:read": OWNERS,
  "member:write": MANAGERS,
  "environment:read": READERS,
  "environment:write": MANAGERS,
  "protection:write": MANAGERS,
  "protection:bypass": [...ADMINS, "ADMIN_TOKEN"],
  "change-request:read": READERS,
  "change-request:write": [...WRITERS, "SERVER"],
  "change-request:review": [...EDITORS, "APPROVE_TOKEN"],
  "flag:read": READERS,
  "flag:write": WRITERS,
  "shared-filter:read": READERS,
  "shared-filter:write": WRITERS,
  "strategy:read": READERS,
  "strategy:write": [...WRITERS, "SERVER"],
  "segment:read": READERS,
  "segment:write": WRITERS,
  "tag:read": READERS,
  "tag:write": WRITERS,
  "context:read": READERS,
  "context:write": WRITERS,
  "api-key:read": READERS,
  "api-key:write": MANAGERS,
  "integration:read": READERS,
  "integration:write": MANAGERS,
  "metrics:read": READERS,
  "user:read-names": [...PEOPLE, ...READING],
  "user:read": [...ORGANISATION, ...READING],
  "user:write": ORGANISERS,
  "settings:read": [...ORGANISATION, ...READING],
  "settings:write": ORGANISERS,
  "audit:read": READERS,
  "audit:read-all": [...ORGANISATION, ...READING],
  "token:own": PEOPLE,
  "token:read": OWNERS,
  "service-account:read": [...ADMINS, ...READING, "SERVICE"],
  "service-account:write": ADMINS,
  "session:own": PEOPLE,
  "rules:read": ["SERVER", "READ_ONLY"],
  "rules:evaluate": ["SERVER", "READ_ONLY", "FRONTEND"],
  "usage:report": ["SERVER", "READ_ONLY", "FRONTEND"],
};
