export const environments = {
  about:
    "The places where your application runs, in release order. Each flag has its own state in each environment.",
  new: "New environment",
  create: "Create environment",
  none: "No environments yet",
  noneText:
    "Environments are the places where your application runs, such as development, staging and production. Create one, then create an API key for it.",
  nameHint: "For example “staging”. Keys and SDKs do not depend on the name.",
  nameInUse: "Another environment of this project has this name",
  flagsOn: "Flags on",
  onOf: "{{on}} of {{flags}}",
  revision: "Revision",
  rules: "Rule size",
  rulesOf: "{{size}} of {{limit}}",
  rulesHint:
    "The size of all constraints of the environment, plus each segment as often as flags use it. Changes that exceed the limit are rejected.",
  keys_one: "{{count}} key",
  keys_other: "{{count}} keys",
  production: "Production",
  productionMeans:
    "Customers use this environment. It is marked everywhere, and every change there asks for confirmation.",
  revisionHint:
    "Increases with each change that can alter the result of a flag. SDKs report which revision they have.",
  editOne: "Edit {{name}}",
  delete: "Delete environment",
  deleteOne: "Delete {{name}}",
  deleteAsk: "Delete “{{name}}”?",
  deleted: "{{name}} deleted",
  deleteText:
    "This deletes the settings of every flag in this environment (state, roll-out, constraints and segments) and its usage data. This cannot be undone.",
  keysLeft_one:
    "It still has {{count}} API key. Revoke it first. SDKs that use it then get 401 and keep their cached rules.",
  keysLeft_other:
    "It still has {{count}} API keys. Revoke them first. SDKs that use them then get 401 and keep their cached rules.",
  protection: {
    column: "Protection",
    none: "Not protected",
    needs_one: "Protected: {{count}} approval",
    needs_other: "Protected: {{count}} approvals",
    open: "Protection of {{name}}",
    requiredApprovals: "Required approvals",
    requiredApprovalsHint:
      "0: the environment is not protected. {{people}} may approve; the author of a change does not count.",
    people_one: "{{count}} person",
    people_other: "{{count}} people",
    approverRole: "Lowest role that may approve",
    memberAccess: "Who may change rules directly",
    roles: "Everybody whose role allows it",
    list: "Administrators and listed people",
    requireReason: "A direct change needs a reason",
    requireReasonHint: "The reason appears in the audit log.",
    allowTurnOff: "Turning off a flag is always direct",
    allowTurnOffHint:
      "Without an approval, a reason or a listing, so that an incident can be stopped at once.",
    allowBypass: "Administrators may bypass the approval",
    allowBypassHint: "They need a reason, and those who may approve get an e-mail.",
    weaker: "A weaker protection needs a reason. All administrators get an e-mail.",
    tooFew: "That many approvals are not possible, because too few people may approve.",
    members: "People",
    canWrite: "{{name}} may change rules",
    canApprove: "{{name}} may approve",
    write: "Changes",
    approve: "Approves",
    saved: "Protection of {{name}} saved",
  },
  toKeys: "Go to API keys",
} as const;
