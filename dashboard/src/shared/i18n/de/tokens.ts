import type { Messages } from "../en/index.ts";

export const tokens: Messages["tokens"] = {
  title: "Token",
  one: "Token",
  ownText:
    "Skripte und Werkzeuge rufen mit einem Token die Management-API im eigenen Namen auf. Ein Token hat nie mehr Rechte als das eigene Konto.",
  accountText:
    "Programme rufen mit einem Token dieses Dienstkontos die Management-API auf. Ein Token hat nie mehr Rechte als die Rolle des Kontos.",
  none: "Noch keine Token",
  new: "Neues Token",
  create: "Token anlegen",
  nameHint: "Wo das Token benutzt wird, etwa „ci“.",
  header: "Header der Anfrage",
  scopes: "Rechte",
  scopesHint: "Nur die Rechte vergeben, die das Token braucht.",
  scopeNames: { read: "Lesen", write: "Schreiben", approve: "Genehmigen", admin: "Verwalten" },
  scopeMeans: {
    read: "Flags, Einstellungen und Nutzung ansehen.",
    write: "Flags, Strategien, Segmente, Tags und Kontexte ändern und Änderungen vorschlagen.",
    approve: "Änderungsanträge prüfen.",
    admin: "Alles, was die Rolle Administration braucht, etwa Umgebungen und API-Schlüssel ändern.",
  },
  projects: "Projekte",
  projectsHint: "Das Token sieht nur diese Projekte.",
  allProjects: "Alle Projekte",
  environments: "Umgebungen",
  environmentsHint: "Das Token ändert Flags nur in diesen Umgebungen. Lesen kann es alle.",
  reaches: {
    withoutProduction: "Alle außer Produktion",
    chosen: "Nur diese",
    all: "Alle, mit Produktion",
  },
  withoutProductionHint: "Später angelegte Umgebungen gehören nicht dazu.",
  chooseEnvironments: "Umgebungen wählen",
  noEnvironment: "Mindestens eine Umgebung wählen",
  tooManyEnvironments:
    "Ein Token kann höchstens {{count}} Umgebungen haben. Weniger Projekte oder Umgebungen wählen.",
  needsAllEnvironments:
    "Die Rechte „Genehmigen“ und „Verwalten“ brauchen alle Umgebungen. Alle wählen oder diese Rechte entfernen.",
  expiresInDays: "Gültig für (Tage)",
  expiresHint: "7 Tage vor dem Ablauf kommt eine E-Mail.",
  expiresRule: "Eine Zahl von {{min}} bis {{max}} eingeben",
  passwordHint: "Bestätigt, wer das Token anlegt.",
  quota: "Hier gibt es schon 50 gültige Token. Zuerst eines widerrufen.",
  all: "alle",
  more_one: "{{count}} weitere",
  more_other: "{{count}} weitere",
  expired: "Abgelaufen",
  expiresOn: "Läuft am {{date}} ab",
  expiredOn: "Am {{date}} abgelaufen",
  revoke: "Widerrufen",
  revokeConfirm: "Token widerrufen",
  revokeText:
    "Anfragen mit diesem Token werden sofort mit 401 abgelehnt. Änderungen, die es geplant hat, bleiben geplant. Das lässt sich nicht rückgängig machen.",
};
