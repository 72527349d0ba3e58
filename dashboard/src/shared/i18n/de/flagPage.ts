import type { Messages } from "../en/index.ts";

export const flagPage: Messages["flagPage"] = {
  sections: "Bereiche des Flags",
  targeting: "Targeting",
  usage: "Nutzung",
  history: "Verlauf",
  unsaved: "Ungespeicherte Änderungen",
  conflict: "Jemand anders hat das geändert",
  lastChanged: "Zuletzt geändert von {{who}}, <time/>",
  playground: "Playground",
  alsoTurnOn: "Das Flag in {{environment}} auch einschalten",
  alsoTurnOnHint: "Es ist jetzt aus.",
  otherWays: "Andere Möglichkeiten",
  helpFor: "Hilfe: {{field}}",
  managedBy: "Verwaltet von {{manager}}",
  managedByCommit: "Verwaltet von {{manager}} ({{commit}})",
  managedWarning:
    "Eine Datei verwaltet dies: {{fields}}. Bitte auch die Datei ändern. Sonst endet ihre nächste Anwendung mit einem Konflikt.",
};
