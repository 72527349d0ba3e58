import { type Actor, allows } from "@feature-flags/permissions/permissions";

/** The entity types that belong to no project. Only administrators see their audit records. */
export const SERVICE_ENTITIES: readonly string[] = ["user", "settings", "session"];

/** Which parts of the audit trail a caller may see. */
export interface Visibility {
  /** Whether the caller sees security records and the records of users, settings and sessions. */
  readonly security: boolean;
  /** Whether the caller sees IP addresses. */
  readonly addresses: boolean;
  /** Whether the caller sees the names of users, which are their e-mail addresses. */
  readonly people: boolean;
}

/**
 * An administrator sees everything. Other callers see neither security records, nor records of
 * `SERVICE_ENTITIES`, nor IP addresses. API keys do not see the names of users.
 */
export function visibilityOf(actor: Actor): Visibility {
  const everything = allows(actor, "audit:read-all");
  return { security: everything, addresses: everything, people: actor.kind === "user" };
}
