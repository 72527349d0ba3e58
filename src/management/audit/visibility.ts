import { type Actor, allows } from "@feature-flags/permissions/permissions";

/** Entities that belong to the whole service, whose records are an administrator's. */
export const SERVICE_ENTITIES: readonly string[] = ["user", "settings", "session"];

/** How much of the audit trail somebody sees. */
export interface Visibility {
  /** Security records, and records of users, settings and sessions. */
  readonly security: boolean;
  /** The addresses that writers came from. */
  readonly addresses: boolean;
  /** The names of the people who wrote: their e-mail addresses. */
  readonly people: boolean;
}

/**
 * Decisions 3.2 and 3.4: an administrator sees everything; everybody else the changes, but nothing
 * of users and settings and no addresses; a key sees besides that a user wrote, but not who it was.
 */
export function visibilityOf(actor: Actor): Visibility {
  const everything = allows(actor, "audit:read-all");
  return { security: everything, addresses: everything, people: actor.kind === "user" };
}
