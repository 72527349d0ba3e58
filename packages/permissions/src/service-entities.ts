/**
 * The entity types of audit records about users, machines and the service itself, also of earlier
 * releases. Only administrators see these records, and the records of a project are never about them.
 */
export const SERVICE_ENTITIES: readonly string[] = [
  "user",
  "settings",
  "session",
  "identity-provider",
  "oauth-client",
  "token",
  "service-account",
];
