export const projects = {
  title: "Projects",
  about:
    "A project contains the flags of one product, with its environments, segments and API keys.",
  search: "Search projects",
  found_one: "{{count}} project found",
  found_other: "{{count}} projects found",
  since: "Created on {{date}}",
  lastChange: "Last changed",
  new: "New project",
  create: "Create project",
  descriptionHint: "What the project is for.",
  general: "General",
  generalText:
    "The name and the description of the project, when its flags are stale, and who sees it.",
  staleDays: "Days until a flag is stale",
  staleDaysHint: "A release flag that has not changed for this long is marked as stale.",
  first: "Create your first project",
  firstText:
    "A project contains the flags of one product, such as your web shop. After you create it, a short guide takes you to your first flag.",
  noneText: "There are no projects yet. An administrator can create one.",
  nameInUse: "Another project has this name",
  id: "Project ID",
  readOnly: "Only administrators can change projects.",
  nameFixed: "Only administrators of the organisation can rename a project.",
  private: "Private",
  visibility: "Visibility",
  visible: { everyone: "Everyone", members: "Only members" },
  visibleMeans: {
    everyone: "Everyone who signs in can see the project.",
    members:
      "Only its members and administrators of the organisation can see that the project exists. Others lose access at once.",
  },
  members: "Members",
  membersText:
    "Give people a role in this project. The higher of this role and their role in the organisation applies.",
  membersOfPrivate:
    "Only members and administrators of the organisation can see this project. The higher of a member’s two roles applies.",
  noMembers: "The project has no members.",
  addMember: "Add member",
  editMember: "Change the role of {{name}}",
  removeMember: "Remove {{name}}",
  removeMemberAsk: "Remove {{name}} from the project?",
  removeMemberText: "Their role in the organisation remains.",
  removeYourself:
    "This is your own membership. You keep only your role in the organisation, and you lose a private project.",
  removeMemberConfirm: "Remove",
  memberSaved: "{{name}} saved",
  memberRemoved: "{{name}} removed",
  roleInOrganisation: "Role in the organisation",
  roleHere: "Role here",
  effectiveRole: "Role that applies",
  delete: "Delete project",
  deleteTitle: "Delete this project",
  deleteText: "This deletes everything in it and cannot be undone.",
  deleteAsk: "Delete “{{name}}”?",
  deleted: "{{name}} deleted",
  keysLeft_one:
    "It still has {{count}} API key. Revoke it first, so that no application loses its flags unexpectedly.",
  keysLeft_other:
    "It still has {{count}} API keys. Revoke them first, so that no application loses its flags unexpectedly.",
  toKeys: "Go to API keys",
  goesWithIt: "This also deletes:",
  flags_one: "{{count}} flag",
  flags_other: "{{count}} flags",
  environments_one: "{{count}} environment",
  environments_other: "{{count}} environments",
  memberCount_one: "{{count}} member",
  memberCount_other: "{{count}} members",
  segments_one: "{{count}} segment",
  segments_other: "{{count}} segments",
  integrations_one: "{{count}} integration",
  integrations_other: "{{count}} integrations",
  otherThings: "archived flags, contexts, tags and all usage data",
  deleteFinal: "This cannot be undone.",
  typeName: "Type <name>{{name}}</name> to confirm",
} as const;

/** The texts of the guided start and of the code examples. */
export const start = {
  title: "Get started",
  description: "From an empty project to your first flag in five steps.",
  done: "(done)",
  steps: {
    environments: {
      title: "Create environments",
      text: "Each flag is turned on per environment: in development first, in production later.",
    },
    flag: {
      title: "Create your first flag",
      text: "A flag controls one change that you want to turn on without a release.",
    },
    on: {
      title: "Turn it on",
      text: "New flags are off everywhere. Turn it on for everyone in an environment without customers.",
    },
    key: {
      title: "Create an API key",
      text: "Your application uses it to evaluate the flags of one environment.",
    },
    call: {
      title: "Evaluate the flag",
      text: "Call the API with the key, as your application will.",
    },
  },
  createEnvironments: "Create development and production",
  flagName: "New checkout",
  isOn: "On in {{environment}}",
  switchOn: "Turn on “{{flag}}” in {{environment}}",
  keyName: "First key",
  whoAsks: "Key type",
  createKey: "Create a key for {{environment}}",
  runHere: "Evaluate from this page",
  answerOn: "“{{flag}}” is on.",
  answerOff:
    "“{{flag}}” is off. If you have just turned it on, the change arrives within 30 seconds.",
  orInCode: "Or in your own code:",
  withYourKey: "Insert your key and run the code:",
  withYourKeyOrAnother:
    "Insert your key and run the code. If you no longer have it, <another>create another one</another>.",
  yourKey: "YOUR-API-KEY",
  waiting: "Waiting for the first call … It appears here within a few seconds.",
  called: "First call received",
  adminEnvironments: "Administrators can create environments.",
  adminKey: "Administrators can create API keys.",
  developerFlag: "Your role is read-only. Developers and administrators can create flags.",
  developerSwitch: "Your role is read-only. Developers and administrators can turn flags on.",
  allDone: "Your first flag works",
  allDoneText:
    "Next, roll it out to some users, test it in the playground, or create another flag.",
  toFlag: "Open “{{flag}}”",
  toPlayground: "Open playground",
  toFlags: "All flags",
  hintTitle: "This project is empty",
  hintText: "Create your first flag in five short steps.",
  hintAction: "Get started",

  snippetLanguages: "Language of the example",
  snippets: {
    openfeature: "OpenFeature",
    react: "React",
    python: "Python",
    go: "Go",
    sdk: "SDK",
    unleash: "Unleash",
    curl: "curl",
    typescript: "TypeScript",
  },
  openfeatureHint:
    "OpenFeature has SDKs for many languages. Configure their OFREP provider with the base URL {{url}} and this key as the bearer token.",
  openfeatureDocs: "Examples for web, React, Node, Python and Go",
  sdkHint:
    "The SDK for Node, Deno, Bun and Workers evaluates flags in your process, without waiting for the network.",
  unleashHint:
    "Use with Unleash SDKs: an application with an SDK of Unleash needs only the URL {{url}} and this key as its token. For SDKs that check the form of the token, put “*:production.” before the key.",
  unleashDocs: "Move from Unleash in four steps",
  copyCode: "Copy code",
  serverKeyHint:
    "A server key reads all rules. Keep it secret: never put it in a browser or a repository.",
  frontendKeyHint:
    "A frontend key can only evaluate flags and report usage, so it is safe to publish with your app.",
} as const;
