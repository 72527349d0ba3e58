import type { Messages } from "../en/index.ts";

export const clone: Messages["clone"] = {
  open: "Klonen …",
  title: "„{{flag}}“ klonen",
  about:
    "Der Klon bekommt Beschreibung, Typ, Werte, Tags, Verantwortliche, Voraussetzungen und das Targeting aller Umgebungen. Ein Anteil ohne eigenen Hash-Schlüssel erreicht andere Nutzer, denn der Klon hat einen anderen Schlüssel.",
  nameOfCopy: "{{name}} (Kopie)",
  keepState: "Zustand an/aus beibehalten",
  keepStateHint: "Sonst ist der Klon in jeder Umgebung aus.",
  isOff: "Das Flag ist in jeder Umgebung aus, und der Klon auch.",
  isOn: "Der Klon wird an sein in {{environments}}.",
  submit: "Flag klonen",
  done: "{{name}} als Klon angelegt",
};
