export const environments = {
  about:
    "The places where your application runs, in the order of a release. A flag is on or off in each of them on its own.",
  new: "New environment",
  create: "Create environment",
  none: "No environments yet",
  noneText:
    "An environment is a place where your application runs, such as development, staging and production. Create the first one; then make an API key for it.",
  nameHint: "For example “staging”. Keys and SDKs do not depend on the name.",
  nameInUse: "Another environment of this project has this name",
  flagsOn: "Flags on",
  onOf: "{{on}} of {{flags}}",
  revision: "Revision",
  rules: "Size of the rules",
  rulesOf: "{{size}} of {{limit}}",
  rulesHint:
    "<term>Size of the rules</term> is the size of all constraints there, and of each segment as often as flags use it. A change that would exceed the limit is rejected.",
  keys_one: "{{count}} key",
  keys_other: "{{count}} keys",
  production: "Production",
  productionMeans:
    "Customers use this environment. It is marked everywhere, and every change there asks for confirmation.",
  productionHint:
    "<term>Production</term> marks the environments that customers use. Changes there ask for confirmation.",
  revisionHint:
    "<term>Revision</term> grows by one with each change that can alter a verdict there. SDKs tell which one they have.",
  editOne: "Edit {{name}}",
  delete: "Delete environment",
  deleteOne: "Delete {{name}}",
  deleteAsk: "Delete “{{name}}”?",
  deleted: "“{{name}}” is deleted",
  deleteText:
    "What every flag is set to in this environment goes with it: on or off, roll-out, constraints and segments. So do its usage figures. This cannot be undone.",
  keysLeft_one:
    "It still has {{count}} API key. Revoke it first: from then on SDKs that use it get 401 instead of changes, and go on with the rules they have.",
  keysLeft_other:
    "It still has {{count}} API keys. Revoke them first: from then on SDKs that use them get 401 instead of changes, and go on with the rules they have.",
  toKeys: "To its API keys",
} as const;
