import type { Permission } from "@feature-flags/permissions/permissions";

/**
 * A function that needs no check: it gets what `authorized` has returned, or neither reads nor
 * writes the database.
 */
export const HELPER = "helper";

/** A verb for callers who are not signed in, such as a login, which identifies its caller itself. */
export const PUBLIC = "public";

type Verbs = Readonly<Record<string, Permission | typeof HELPER | typeof PUBLIC>>;

/**
 * The permission that each function of the service files requires. verbs.test.ts fails while a
 * function is missing here.
 */
export const VERBS: Readonly<Record<string, Verbs>> = {
  "api-keys/service.ts": {
    listApiKeys: "api-key:read",
    createApiKey: "api-key:write",
    renameApiKey: "api-key:write",
    deleteApiKey: "api-key:write",
  },
  "audit/service.ts": { listAudit: "audit:read" },
  "auth/account-service.ts": {
    me: "session:own",
    updateMe: "session:own",
    forgotPassword: PUBLIC,
    readInvitation: PUBLIC,
    acceptInvitation: PUBLIC,
    resetPassword: PUBLIC,
  },
  "auth/service.ts": {
    login: PUBLIC,
    refresh: PUBLIC,
    logout: "session:own",
    selectProject: "session:own",
    listSessions: "session:own",
    revokeSession: "session:own",
  },
  "environments/service.ts": {
    listEnvironments: "environment:read",
    getEnvironment: "environment:read",
    createEnvironment: "environment:write",
    updateEnvironment: "environment:write",
    deleteEnvironment: "environment:write",
  },
  "flags/list-service.ts": {
    listFlags: "flag:read",
    listFlagsByEnvironment: "flag:read",
    listEnrichedFlags: "flag:read",
  },
  "insights/service.ts": {
    flagInsights: "metrics:read",
    usageOfFlags: "metrics:read",
    environmentInsights: "metrics:read",
  },
  "instances/service.ts": { listInstances: "metrics:read", propagation: "metrics:read" },
  "integrations/delivery-service.ts": {
    listDeliveries: "integration:read",
    redeliver: "integration:write",
    testIntegration: "integration:write",
  },
  "integrations/service.ts": {
    listIntegrations: "integration:read",
    getIntegration: "integration:read",
    findIntegration: HELPER,
    createIntegration: "integration:write",
    updateIntegration: "integration:write",
    deleteIntegration: "integration:write",
    webhookLimit: "integration:read",
  },
  "mfa/service.ts": {
    status: "session:own",
    verify: PUBLIC,
    enrol: "session:own",
    activate: "session:own",
    disable: "session:own",
    renewRecoveryCodes: "session:own",
  },
  "preferences/service.ts": { getPreferences: "session:own", changePreferences: "session:own" },
  "projects/service.ts": {
    listProjects: "project:read",
    getProject: "project:read",
    createProject: "project:write",
    updateProject: "project:write",
    deleteProject: "project:write",
    streamChanges: "flag:read",
  },
  "settings/service.ts": { getSettings: "settings:read", updateSettings: "settings:write" },
  "users/service.ts": {
    listUsers: "user:read",
    listUserNames: "user:read-names",
    getUser: "user:read",
    inviteUser: "user:write",
    reinviteUser: "user:write",
    updateUser: "user:write",
    deleteUser: "user:write",
    resetMfa: "user:write",
  },
};

/** The service files whose verbs do not take a `Call` yet. */
export const UNCONVERTED_FILES: readonly string[] = [
  "contexts/service.ts",
  "contexts/value-service.ts",
  "flags/bulk-service.ts",
  "flags/clone-service.ts",
  "flags/revert-service.ts",
  "flags/service.ts",
  "segments/revert-service.ts",
  "segments/service.ts",
  "strategies/bulk-copy-service.ts",
  "strategies/bulk-revert-service.ts",
  "strategies/bulk-service.ts",
  "strategies/revert-service.ts",
  "strategies/service.ts",
  "tags/service.ts",
];

/** Matches the names of the routes whose verbs do not take a `Call` yet. */
export const UNCONVERTED_ROUTES =
  /^GET \/api\/v1\/flags\/\{(?:id\}$|flagId\}\/strategies)|^(?:POST|PUT|DELETE) \/api\/v1\/flags|\/api\/v1\/(?:segments|tags|contexts)\b/;
