/** The texts of tokens, in the profile and on the page of a service account. */
export const tokens = {
  title: "Tokens",
  one: "Token",
  ownText:
    "Scripts and tools call the management API with a token in your name. A token never has more rights than you.",
  accountText:
    "Programs call the management API with a token of this service account. A token never has more rights than the role of the account.",
  none: "No tokens yet",
  new: "New token",
  create: "Create token",
  nameHint: "Where the token is used, such as “ci”.",
  header: "Request header",
  scopes: "Rights",
  scopesHint: "Give only the rights that the program needs.",
  scopeNames: { read: "Read", write: "Write", approve: "Approve", admin: "Administer" },
  scopeMeans: {
    read: "See flags, settings and usage.",
    write: "Change flags, strategies, segments, tags and contexts, and propose changes.",
    approve: "Review change requests.",
    admin: "Do what needs the role Administrator, such as changing environments and API keys.",
  },
  projects: "Projects",
  projectsHint: "Only these projects can be seen.",
  allProjects: "All projects",
  environments: "Environments",
  environmentsHint: "Flags can be changed only in these environments, and read in all.",
  reaches: {
    withoutProduction: "All except production",
    chosen: "Chosen environments",
    all: "All, including production",
  },
  withoutProductionHint: "Environments that are created later are not included.",
  chooseEnvironments: "Choose environments",
  noEnvironment: "Choose at least one environment",
  tooManyEnvironments:
    "A token can have at most {{count}} environments. Choose fewer projects or environments.",
  needsAllEnvironments: "Only a token for all environments can have these rights: {{rights}}",
  expiresInDays: "Valid for (days)",
  expiresHint: "We send you an e-mail 7 days before the token expires.",
  expiresRule: "Enter a number from {{min}} to {{max}}",
  passwordHint: "Confirms that it is you who creates the token.",
  quota: "There are already 50 valid tokens here. Revoke one first.",
  all: "all",
  more_one: "{{count}} more",
  more_other: "{{count}} more",
  expired: "Expired",
  expiresOn: "Expires {{date}}",
  expiredOn: "Expired {{date}}",
  lastUsed: "last used",
  revoke: "Revoke",
  revokeConfirm: "Revoke token",
  revokeText:
    "Requests with this token are rejected with 401 at once. Changes that it has scheduled stay scheduled. This cannot be undone.",
} as const;

/** The texts of agents: OAuth clients that call the MCP endpoint in the name of a user. */
export const agents = {
  authorize: "Connect an agent",
  authorizeIntro:
    "A program, such as a coding agent, asks to work with your flags over MCP. It never has more rights than you.",
  framed: "This page is shown inside another page",
  framedText:
    "Open it in a tab of its own. Another page could make you approve something without knowing.",
  noRequest: "No agent asks at the moment",
  noRequestText: "Add {{url}} to your agent as an MCP server. The agent then opens this page.",
  unknown: "This request is not valid",
  unknownClient:
    "The service does not know the program that asks. Nothing was approved, and you stay here. Tell the maker of the program, or ask an administrator to register it.",
  unknownRedirect:
    "The program wants the answer at an address that is not its own. Nothing was approved, and you stay here. Somebody may be trying to deceive you.",
  wrong: "The request of {{name}} is not valid",
  back: "Back to {{host}}",
  asks: "{{name}} asks to act in your name",
  clientHost: "The program is published at <code>{{host}}</code>. It has chosen its name itself.",
  registered: "An administrator has registered this program.",
  redirect: "After your decision, the browser goes to <code>{{host}}</code>.",
  redirectLocal:
    "After your decision, the browser goes to a program on this computer (<code>{{host}}</code>).",
  warning:
    "Approve only if you have just started to connect {{name}}. If somebody has sent you a link to this page, deny.",
  warningLocal:
    "Approve only if you have just started to connect {{name}} on this computer. The service cannot check which program on this computer gets the answer. If somebody has sent you a link to this page, deny.",
  quota: "You have 50 connected agents, or have just approved 10. Revoke one, or wait a minute.",
  approve: "Approve",
  answered: "The browser goes back to the program",
  answeredText: "You can close this tab if {{name}} already continues.",

  title: "Connected agents",
  text: "Programs that work over MCP in your name. Each could only start because you have approved it.",
  none: "No connected agents",
  expires: "Access ends {{date}} if the agent is not used until then",
  revokeOne: "Revoke the access of {{name}}",
  revokeAsk: "Revoke the access of {{name}}?",
  revokeText: "Its next request is rejected with 401. It can ask for access again.",
  revoked: "The access of {{name}} has been revoked",

  clients: "Registered agents",
  clientsText:
    "Most agents publish a document about themselves, and need no registration. Register a program only if it asks for a client ID.",
  noClients: "No registered agents",
  register: "Register an agent",
  clientId: "Client ID",
  redirectUris: "Redirect URIs",
  redirectUrisHint:
    "One per line, each with https://. A program on the user's computer has http://127.0.0.1/…; its port may differ.",
  created: "{{name}} is registered",
  deleteAsk: "Delete {{name}}?",
  deleteText: "Users who have connected this agent lose the connection at once.",
  delete: "Delete agent",
  deleted: "{{name}} has been deleted",
} as const;

/** The texts in the profile about how to connect an agent. */
export const connectAgent = {
  title: "Connect an agent",
  text: "An agent finds, explains and changes flags over MCP, and the history names it.",
  program: "Program",
  inTerminal: "Run this in a terminal.",
  inFile: "Add this to {{file}}.",
  asks: "The program opens the browser, where you choose its rights.",
  replace: "Put a token in the place of {{token}}.",
  withToken: "With a token",
  withTokenHint: "For programs that do not sign in with OAuth, or run without a browser.",
  linesOf: "Lines for {{program}}",
  bounds:
    "With the right “Read”, the agent only reads. In a protected environment, it opens change requests, and people approve them.",
};

/** The texts of the page on which a user approves a login on a device. */
export const device = {
  title: "Sign in on a device",
  intro:
    "A program on a device without a browser, such as a terminal, can get a token in your name.",
  code: "Code",
  codeHint:
    "Enter the code that the device shows, such as WDJB-MJHT, or check that it shows this one.",
  codeRule: "Enter the 8 letters that the device shows",
  continue: "Continue",
  unknown: "This code is unknown, was used or has expired. Begin again on the device.",
  asks: "{{name}} asks for a token of your account",
  from: "From {{ip}}, <time/>",
  unknownAddress: "an unknown address",
  warning: "Have you started this yourself?",
  warningText:
    "Approve only if the device in front of you shows the code <code>{{code}}</code>. If somebody has sent you this code or a link to this page, deny.",
  passwordHint: "Confirms that it is you who approves.",
  deny: "Deny",
  approve: "Approve",
  approved: "Approved",
  approvedText:
    "Go back to {{name}}, which continues within a few seconds. The token is valid for 90 days. You can revoke it on your profile page.",
  denied: "Denied",
  deniedText: "{{name}} gets no token.",
} as const;
