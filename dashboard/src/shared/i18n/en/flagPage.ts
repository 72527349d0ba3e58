/** The texts of the header and the tabs of the flag page. */
export const flagPage = {
  sections: "Sections of the flag",
  targeting: "Targeting",
  usage: "Usage",
  history: "History",
  unsaved: "Unsaved changes",
  conflict: "Someone else changed this",
  lastChanged: "Last changed by {{who}}, <time/>",
  playground: "Playground",
  useInCode: "Use in code",
  useInCodeTitle: "Use “{{flag}}” in code",
  whereCodeRuns: "Where the code runs",
  insertKey: "Insert an <keys>API key</keys> of the environment and run the code.",
  alsoTurnOn: "Also turn the flag on in {{environment}}",
  alsoTurnOnHint: "It is off now.",
  otherWays: "Other options",
  helpFor: "Help: {{field}}",
  managedBy: "Managed by {{manager}}",
  managedByCommit: "Managed by {{manager}} ({{commit}})",
  managedWarning:
    "A file manages this: {{fields}}. Change the file, too. Otherwise the next apply of the file stops with a conflict.",
} as const;
