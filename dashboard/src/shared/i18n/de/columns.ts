import type { Messages } from "../en/index.ts";

export const columns: Messages["columns"] = {
  title: "Spalten",
  environments: "Umgebungen",
  facts: "Über das Flag",
  rows: "Zeilen",
  reset: "Standardspalten",
  names: {
    usage: "Nutzung",
    lastChange: "Zuletzt geändert",
    owners: "Verantwortliche",
    type: "Typ",
    lastUsed: "Zuletzt benutzt",
    created: "Angelegt",
    others: "Anzahl in den übrigen Umgebungen",
    tags: "Tags",
    comfortable: "Mehr Abstand zwischen den Zeilen",
  },
  evaluations_one: "{{total}} Auswertung in {{environment}} in den letzten {{days}} Tagen",
  evaluations_other: "{{total}} Auswertungen in {{environment}} in den letzten {{days}} Tagen",
};
