export const apiKeys = {
  about:
    "Applications use API keys to evaluate the flags of one environment. Create one key per application, so that you can revoke each separately.",
  new: "New API key",
  create: "Create key",
  none: "No API keys yet",
  noneText:
    "Your application needs an API key to evaluate flags. The key is shown only once, with code to paste.",
  noneHere: "No API keys match these filters",
  search: "Search API keys",
  noEnvironment: "Create an environment first",
  noEnvironmentText: "Each API key belongs to one environment, and this project has none yet.",
  environment: "Environment",
  environmentHint:
    "The key can read only the flags of this environment. This cannot be changed later.",
  nameHint: "The application that uses it, such as “web shop backend”.",
  key: "API key",
  type: "Type",
  types: { SERVER: "Server", FRONTEND: "Frontend" },
  typesInShort: { SERVER: "Secret", FRONTEND: "Safe for clients" },
  typeChoices: { SERVER: "Server key", FRONTEND: "Frontend key" },
  typesAtLength: {
    SERVER:
      "For backends and scripts. It reads all rules. Keep it secret: never use it in a browser or an app.",
    FRONTEND:
      "For browsers and apps. It is safe to publish: it evaluates flags and reports usage, and cannot read rules.",
  },
  canWrite: "The key can change roll-outs",
  canWriteHint:
    "For scripts that switch flags of this environment through the API. An application that only evaluates flags does not need it.",
  writes: "reads and changes roll-outs",
  onlyReads: "only reads",
  endsIn: "ends in",
  created: "Created",
  lastUsed: "Last used",
  neverUsed: "never used",
  editOne: "Edit {{name}}",
  revoke: "Revoke key",
  revokeOne: "Revoke {{name}}",
  revokeAsk: "Revoke “{{name}}”?",
  revoked: "{{name}} revoked",
  revokeUnused: "This key was never used.",
  revokeUsed: "Last used <when><time/></when> in {{environment}}.",
  revokeApps: "Applications last seen in {{environment}}, with this or another key: {{apps}}.",
  revokeEffect: {
    SERVER:
      "Requests with this key are rejected with 401, usually within 3 seconds. SDKs that use it stop receiving changes and keep their cached rules until they restart. This cannot be undone.",
    FRONTEND:
      "Requests with this key are rejected with 401, usually within 3 seconds. Apps that use it stop receiving changes and keep their cached results until they restart. This cannot be undone.",
  },
  isCreated: "{{name}} created",
  tryIt: "Use the key",
  exampleFlag: "Flag in the examples",
  onlyOnce: "Copy it now and store it safely. It is not shown again.",
  done: "Done",
  leaveTitle: "Close without copying?",
  leaveText: "You have not copied it yet, and it is not shown again.",
  leave: "Close anyway",
} as const;
