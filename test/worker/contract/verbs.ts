import type { Permission } from "@feature-flags/permissions/permissions";

/**
 * A function that needs no check: it gets what `reads`, `writes` or `ownAccount` has returned, or neither reads nor
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
  "management/api-keys/service.ts": {
    listApiKeys: "api-key:read",
    createApiKey: "api-key:write",
    updateApiKey: "api-key:write",
    deleteApiKey: "api-key:write",
  },
  "management/tokens/service.ts": {
    listTokens: "token:own",
    currentToken: "token:read",
    createToken: "token:own",
    revokeToken: "token:own",
  },
  "management/device-logins/service.ts": {
    beginDeviceLogin: PUBLIC,
    takeDeviceToken: PUBLIC,
    findDeviceLogin: "token:own",
    approveDeviceLogin: "token:own",
    denyDeviceLogin: "token:own",
  },
  "management/oauth/consent-service.ts": {
    readAuthorization: "token:own",
    approveAuthorization: "token:own",
    denyAuthorization: "token:own",
  },
  "management/oauth/token-service.ts": { exchange: PUBLIC, revoke: PUBLIC },
  "management/oauth/agent-service.ts": { listAgents: "token:own", revokeAgent: "token:own" },
  "management/oauth/client-service.ts": {
    listClients: "settings:read",
    createClient: "settings:write",
    deleteClient: "settings:write",
  },
  "management/service-accounts/service.ts": {
    listServiceAccounts: "service-account:read",
    getServiceAccount: "service-account:read",
    createServiceAccount: "service-account:write",
    updateServiceAccount: "service-account:write",
    deleteServiceAccount: "service-account:write",
  },
  "management/audit/service.ts": { listAudit: "audit:read" },
  "management/auth/account-service.ts": {
    me: "session:own",
    updateMe: "session:own",
    forgotPassword: PUBLIC,
    readInvitation: PUBLIC,
    acceptInvitation: PUBLIC,
    resetPassword: PUBLIC,
  },
  "management/auth/service.ts": {
    login: PUBLIC,
    refresh: PUBLIC,
    logout: "session:own",
    selectProject: "session:own",
    listSessions: "session:own",
    revokeSession: "session:own",
  },
  "workflows/change-requests/plan-service.ts": { requestForPlan: "change-request:write" },
  "workflows/change-requests/service.ts": {
    openOnce: "change-request:write",
    openRequest: "change-request:write",
    editRequest: "change-request:write",
    rebaseRequest: "change-request:write",
  },
  "workflows/change-requests/conversation-service.ts": {
    reviewRequest: "change-request:review",
    closeRequest: "change-request:write",
    addComment: "change-request:write",
  },
  "workflows/change-requests/reviewer-service.ts": {
    listReviewers: "user:read-names",
    askReviewers: "change-request:write",
  },
  "workflows/change-requests/read-service.ts": {
    listRequests: "change-request:read",
    openRequestsOf: "change-request:read",
    getRequest: "change-request:read",
    findRequest: HELPER,
    neededApprovals: HELPER,
    show: HELPER,
  },
  "workflows/change-requests/lifecycle.ts": {
    close: "change-request:write",
    closeIdleRequests: "change-request:write",
    findPlannedRequest: "change-request:read",
    schedulerOf: "change-request:read",
    checkPlannedRequest: "change-request:read",
    applyPlannedRequest: "change-request:write",
    expiryOf: "change-request:read",
    stopPlannedRequest: "change-request:write",
  },
  "management/schedule/service.ts": { listPlanned: "change-request:read" },
  "workflows/change-requests/apply-service.ts": { applyRequest: "change-request:write" },
  "management/contexts/service.ts": {
    listContexts: "context:read",
    getContext: "context:read",
    createContext: "context:write",
    updateContext: "context:write",
    deleteContext: "context:write",
  },
  "management/contexts/value-service.ts": {
    listContextValues: "context:read",
    getContextValue: "context:read",
    createContextValue: "context:write",
    replaceContextValues: "context:write",
    updateContextValue: "context:write",
    deleteContextValue: "context:write",
  },
  "management/environments/service.ts": {
    listEnvironments: "environment:read",
    getEnvironment: "environment:read",
    createEnvironment: "environment:write",
    updateEnvironment: "environment:write",
    deleteEnvironment: "environment:write",
  },
  "management/environments/protection-service.ts": {
    getProtection: "environment:read",
    setProtection: "protection:write",
    getMembers: "environment:read",
    setMembers: "protection:write",
  },
  "management/flags/key-service.ts": { getFlagByKey: "flag:read" },
  "management/flags/bulk-service.ts": { changeFlags: "flag:write", changingFlags: "flag:write" },
  "management/files/export-service.ts": { exportFile: "project:export" },
  "management/files/plan-service.ts": { planProject: "project:export" },
  "management/files/apply-service.ts": { applyProject: "project:apply" },
  "workflows/stale-flags/lifecycle.ts": {
    projectsToMark: "flag:read",
    markStaleFlags: "flag:write",
  },
  "management/flags/list-service.ts": {
    listFlags: "flag:read",
    listFlagsByEnvironment: "flag:read",
    listEnrichedFlags: "flag:read",
  },
  "management/flags/revert-service.ts": { revertFlag: "flag:write", revertingFlag: "flag:write" },
  "management/flags/service.ts": {
    getFlag: "flag:read",
    createFlag: "flag:write",
    cloneFlag: "flag:write",
    updateFlag: "flag:write",
    updatingFlag: HELPER,
    archiving: HELPER,
    cloningFlag: HELPER,
    setArchived: "flag:write",
    deleteFlag: "flag:write",
  },
  "management/insights/service.ts": {
    flagInsights: "metrics:read",
    usageOfFlags: "metrics:read",
    environmentInsights: "metrics:read",
  },
  "management/unleash/service.ts": { unleashUse: "strategy:read" },
  "management/instances/service.ts": { listInstances: "metrics:read", propagation: "metrics:read" },
  "management/integrations/delivery-service.ts": {
    listDeliveries: "integration:read",
    redeliver: "integration:write",
    testIntegration: "integration:write",
  },
  "management/integrations/service.ts": {
    listIntegrations: "integration:read",
    getIntegration: "integration:read",
    findIntegration: HELPER,
    createIntegration: "integration:write",
    updateIntegration: "integration:write",
    deleteIntegration: "integration:write",
    webhookLimit: "integration:read",
  },
  "management/passkeys/service.ts": {
    listPasskeys: "session:own",
    beginPasskey: "session:own",
    addPasskey: "session:own",
    renamePasskey: "session:own",
    removePasskey: "session:own",
  },
  "management/passkeys/sign-in-service.ts": {
    beginPasskeySignIn: PUBLIC,
    signInWithPasskey: PUBLIC,
  },
  "management/mfa/service.ts": {
    status: "session:own",
    verify: PUBLIC,
    enrol: "session:own",
    activate: "session:own",
    disable: "session:own",
    renewRecoveryCodes: "session:own",
  },
  "management/operations/service.ts": { runOperations: "flag:write" },
  "management/preferences/service.ts": {
    getPreferences: "session:own",
    changePreferences: "session:own",
  },
  "management/projects/service.ts": {
    listProjects: "project:read",
    getProject: "project:read",
    createProject: "project:create",
    updateProject: "project:write",
    deleteProject: "project:write",
    streamChanges: "flag:read",
    inProject: HELPER,
  },
  "management/projects/member-service.ts": {
    listMembers: "member:read",
    setMember: "member:write",
    removeMember: "member:write",
  },
  "workflows/ramps/lifecycle.ts": {
    actorBehindRamp: "strategy:read",
    runStep: "strategy:write",
    stopRamp: "strategy:write",
    stopObstructed: "strategy:write",
    stopByToken: PUBLIC,
  },
  "management/ramps/service.ts": {
    startingRamp: HELPER,
    startRamp: "strategy:write",
    listRamps: "strategy:read",
    getRamp: "strategy:read",
    pauseRamp: "strategy:write",
    resumeRamp: "strategy:write",
    advanceRamp: "strategy:write",
    abortRamp: "strategy:write",
    renewStopUrl: "strategy:write",
  },
  "management/segments/revert-service.ts": {
    revertSegment: "segment:write",
    revertingSegment: "segment:write",
  },
  "management/segments/service.ts": {
    listSegments: "segment:read",
    getSegment: "segment:read",
    createSegment: "segment:write",
    updateSegment: "segment:write",
    updatingSegment: HELPER,
    deleteSegment: "segment:write",
  },
  "management/settings/service.ts": {
    getSettings: "settings:read",
    updateSettings: "settings:write",
  },
  "management/sign-on/service.ts": {
    beginSignOn: PUBLIC,
    continueSignOn: PUBLIC,
    completeSignOn: PUBLIC,
  },
  "management/sign-on/assertion-service.ts": { signInWithAssertion: PUBLIC },
  "management/sign-on/logout-service.ts": { endProviderSessions: PUBLIC },
  "management/sign-on/identity-service.ts": {
    listOwnIdentities: "session:own",
    unlinkIdentity: "session:own",
  },
  "management/sign-on/provider-service.ts": {
    listProviders: "settings:read",
    listWaysToSignIn: PUBLIC,
    getProvider: "settings:read",
    createProvider: "settings:write",
    updateProvider: "settings:write",
    deleteProvider: "settings:write",
  },
  "management/strategies/bulk-revert-service.ts": {
    revertStrategies: "strategy:write",
    revertingStrategies: "strategy:write",
  },
  "management/strategies/bulk-service.ts": {
    switchFlags: "strategy:write",
    copyStrategies: "strategy:write",
    copyingStrategies: "strategy:write",
    switchingFlags: "strategy:write",
    projectOf: HELPER,
  },
  "management/strategies/revert-service.ts": {
    revertStrategy: "strategy:write",
    revertingStrategy: "strategy:write",
  },
  "management/strategies/service.ts": {
    listStrategies: "strategy:read",
    getStrategy: "strategy:read",
    setStrategy: "strategy:write",
    settingStrategy: HELPER,
  },
  "management/tags/service.ts": {
    listTags: "tag:read",
    getTag: "tag:read",
    createTag: "tag:write",
    updateTag: "tag:write",
    deleteTag: "tag:write",
  },
  "management/users/service.ts": {
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
