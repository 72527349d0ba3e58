/** What audit records say has happened, by what it has happened to. */
const VERBS = {
  flag: ["created", "updated", "archived", "unarchived", "stale", "deleted"],
  strategy: ["updated", "deleted"],
  segment: ["created", "updated", "deleted"],
  context: ["created", "updated", "deleted", "values-replaced", "values-deleted"],
  "context-value": ["created", "updated", "deleted"],
  environment: ["created", "updated", "deleted", "protection-updated"],
  "change-request": [
    "opened",
    "updated",
    "review-requested",
    "reviewed",
    "commented",
    "applied",
    "outdated",
    "blocked",
    "closed",
  ],
  ramp: [
    "started",
    "stepped",
    "paused",
    "resumed",
    "aborted",
    "stopped",
    "completed",
    "stop-url-renewed",
  ],
  tag: ["created", "updated", "deleted"],
  project: ["created", "updated", "deleted", "applied", "member-set", "member-removed"],
  "api-key": ["created", "updated", "deleted", "refused"],
  token: ["created", "revoked", "refused"],
  "device-login": ["approved", "denied", "refused"],
  agent: ["approved", "denied", "code-reused", "refresh-reused"],
  "oauth-client": ["created", "deleted"],
  "service-account": ["created", "updated", "deleted"],
  integration: ["created", "updated", "deleted", "tested", "redelivered", "switched-off"],
  user: [
    "created",
    "updated",
    "invited",
    "joined",
    "deleted",
    "locked",
    "password-changed",
    "password-refused",
    "password-reset",
    "password-reset-requested",
    "identity-linked",
    "identity-unlinked",
  ],
  session: [
    "started",
    "ended",
    "first-step",
    "refused",
    "refused-unknown",
    "refresh-refused",
    "project-selected",
    "reuse",
    "sign-on",
    "sign-on-refused",
    "password-off",
    "provider-logout",
    "confirmed",
  ],
  "identity-provider": ["created", "updated", "deleted"],
  passkey: ["begun", "added", "renamed", "removed", "copied"],
  mfa: ["enrolled", "activated", "disabled", "reset", "recovery-codes-renewed", "failed", "locked"],
  settings: ["updated"],
  "shared-filter": ["created", "updated", "deleted"],
} as const;

/**
 * The action of an audit record, such as `flag.created`. Records of earlier releases may have other
 * actions.
 */
export type AuditAction = {
  [Subject in keyof typeof VERBS]: `${Subject}.${(typeof VERBS)[Subject][number]}`;
}[keyof typeof VERBS];

export const AUDIT_ACTIONS = Object.entries(VERBS).flatMap(([subject, verbs]) =>
  verbs.map((verb) => `${subject}.${verb}`),
) as readonly AuditAction[];
