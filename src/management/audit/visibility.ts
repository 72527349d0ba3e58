import { type Actor, allows } from "@feature-flags/permissions/permissions";

/** The entity types that belong to no project. Only administrators see their audit records. */
export const SERVICE_ENTITIES: readonly string[] = ["user", "settings", "session"];

/** Which parts of the audit records a caller may see. */
export interface Visibility {
  /** Whether the caller sees audit records of the category `security` and of `SERVICE_ENTITIES`. */
  readonly security: boolean;
  /** Whether the caller sees the IP addresses in audit records. */
  readonly addresses: boolean;
  /**
   * Whether the caller sees the names of users in audit records. A user's name there is the e-mail
   * address.
   */
  readonly people: boolean;
}

/**
 * Returns what the caller may see. An administrator sees everything. Other callers see neither
 * audit records of the category `security`, nor of `SERVICE_ENTITIES`, nor IP addresses. API keys
 * do not see the names of users.
 */
export function visibilityOf(actor: Actor): Visibility {
  const everything = allows(actor, "audit:read-all");
  return { security: everything, addresses: everything, people: actor.kind === "user" };
}
