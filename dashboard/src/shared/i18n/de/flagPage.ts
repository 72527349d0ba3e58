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
  useInCode: "Im Code verwenden",
  useInCodeTitle: "„{{flag}}“ im Code verwenden",
  whereCodeRuns: "Wo der Code läuft",
  insertKey: "Einen <keys>API-Schlüssel</keys> der Umgebung einsetzen und den Code ausführen.",
  alsoTurnOn: "Das Flag in {{environment}} auch einschalten",
  alsoTurnOnHint: "Es ist jetzt aus.",
  otherWays: "Andere Möglichkeiten",
  helpFor: "Hilfe: {{field}}",
  managedBy: "Verwaltet von {{manager}}",
  managedByCommit: "Verwaltet von {{manager}} ({{commit}})",
  managedWarning:
    "Eine Datei verwaltet dies: {{fields}}. Bitte auch die Datei ändern. Sonst endet ihre nächste Anwendung mit einem Konflikt.",
};
