import { type Actor, allows } from "@feature-flags/permissions/permissions";

/** Which parts of the audit records a caller may see. */
export interface Visibility {
  /** Whether the caller sees audit records of the category `security` and of `SERVICE_ENTITIES`. */
  readonly security: boolean;
  /** Whether the caller sees the IP addresses in audit records. */
  readonly addresses: boolean;
  /**
   * Whether the caller sees the names of users in audit records. The name of a user is the e-mail address.
   */
  readonly people: boolean;
  /**
   * Whether the caller sees the webhook URLs of a project in full. Other callers see only the
   * origin, because the path may be a secret.
   */
  readonly webhookUrls: (projectId: number | null) => boolean;
}

/**
 * Returns what the caller may see in audit records. An administrator sees everything. Other callers
 * see no IP addresses, no records of the category `security` and no records of `SERVICE_ENTITIES`.
 * API keys do not see the names of users.
 */
export function visibilityOf(actor: Actor): Visibility {
  const everything = allows(actor, "audit:read-all");
  return {
    security: everything,
    addresses: everything,
    people: actor.kind === "user",
    webhookUrls: (projectId) => allows(actor, "integration:write", projectId ?? undefined),
  };
}
