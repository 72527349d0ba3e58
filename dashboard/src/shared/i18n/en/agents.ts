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
