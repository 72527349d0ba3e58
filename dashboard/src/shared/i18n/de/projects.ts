import type { Messages } from "../en/index.ts";

export const projects: Messages["projects"] = {
  title: "Projekte",
  about:
    "Ein Projekt enthält die Flags eines Produkts mit dessen Umgebungen, Segmenten und API-Schlüsseln.",
  search: "Projekte durchsuchen",
  found_one: "{{count}} Projekt gefunden",
  found_other: "{{count}} Projekte gefunden",
  since: "Angelegt am {{date}}",
  lastChange: "Zuletzt geändert",
  new: "Neues Projekt",
  create: "Projekt anlegen",
  descriptionHint: "Wofür das Projekt ist.",
  general: "Allgemein",
  generalText:
    "Name und Beschreibung des Projekts, wann seine Flags veraltet sind, und wer es sieht.",
  staleDays: "Tage, bis ein Flag veraltet",
  staleDaysHint: "Ein Release-Flag, das so lange unverändert ist, wird als veraltet markiert.",
  first: "Erstes Projekt anlegen",
  firstText:
    "Ein Projekt enthält die Flags eines Produkts, etwa des Webshops. Nach dem Anlegen führt eine kurze Anleitung zum ersten Flag.",
  noneText: "Es gibt noch keine Projekte. Die Administration kann eines anlegen.",
  nameInUse: "Ein anderes Projekt heißt schon so",
  id: "Projekt-ID",
  readOnly: "Nur die Administration kann Projekte ändern.",
  nameFixed: "Nur die Administration der Organisation kann ein Projekt umbenennen.",
  private: "Privat",
  visibility: "Sichtbarkeit",
  visible: { everyone: "Alle", members: "Nur Mitglieder" },
  visibleMeans: {
    everyone: "Alle angemeldeten Personen sehen das Projekt.",
    members:
      "Nur die Mitglieder und die Administration der Organisation sehen, dass es das Projekt gibt. Alle anderen verlieren sofort den Zugang.",
  },
  members: "Mitglieder",
  membersText:
    "Personen eine Rolle in diesem Projekt geben. Es gilt die höhere aus dieser Rolle und der Rolle in der Organisation.",
  membersOfPrivate:
    "Nur die Mitglieder und die Administration der Organisation sehen dieses Projekt. Es gilt die höhere der beiden Rollen eines Mitglieds.",
  noMembers: "Das Projekt hat keine Mitglieder.",
  addMember: "Mitglied hinzufügen",
  editMember: "Rolle von {{name}} ändern",
  removeMember: "{{name}} entfernen",
  removeMemberAsk: "{{name}} aus dem Projekt entfernen?",
  removeMemberText: "Die Rolle in der Organisation bleibt.",
  removeYourself:
    "Das ist die eigene Mitgliedschaft. Danach gilt nur noch die Rolle in der Organisation, und ein privates Projekt ist nicht mehr sichtbar.",
  removeMemberConfirm: "Entfernen",
  memberSaved: "{{name}} gespeichert",
  memberRemoved: "{{name}} entfernt",
  roleInOrganisation: "Rolle in der Organisation",
  roleHere: "Rolle hier",
  effectiveRole: "Rolle, die gilt",
  delete: "Projekt löschen",
  deleteTitle: "Dieses Projekt löschen",
  deleteText: "Damit wird alles darin gelöscht. Das lässt sich nicht rückgängig machen.",
  deleteAsk: "„{{name}}“ löschen?",
  deleted: "{{name}} gelöscht",
  keysLeft_one:
    "Es hat noch {{count}} API-Schlüssel. Dieser muss zuerst widerrufen werden, damit keine Anwendung unerwartet ihre Flags verliert.",
  keysLeft_other:
    "Es hat noch {{count}} API-Schlüssel. Diese müssen zuerst widerrufen werden, damit keine Anwendung unerwartet ihre Flags verliert.",
  toKeys: "Zu den API-Schlüsseln",
  goesWithIt: "Damit werden auch gelöscht:",
  flags_one: "{{count}} Flag",
  flags_other: "{{count}} Flags",
  environments_one: "{{count}} Umgebung",
  environments_other: "{{count}} Umgebungen",
  memberCount_one: "{{count}} Mitglied",
  memberCount_other: "{{count}} Mitglieder",
  segments_one: "{{count}} Segment",
  segments_other: "{{count}} Segmente",
  integrations_one: "{{count}} Integration",
  integrations_other: "{{count}} Integrationen",
  otherThings: "archivierte Flags, Kontexte, Tags und alle Nutzungszahlen",
  deleteFinal: "Das lässt sich nicht rückgängig machen.",
  typeName: "Zur Bestätigung <name>{{name}}</name> eintippen",
};

export const start: Messages["start"] = {
  title: "Erste Schritte",
  description: "In fünf Schritten vom leeren Projekt zum ersten Flag.",
  done: "(erledigt)",
  steps: {
    environments: {
      title: "Umgebungen anlegen",
      text: "Ein Flag wird in jeder Umgebung einzeln eingeschaltet: erst in der Entwicklung, später in der Produktion.",
    },
    flag: {
      title: "Erstes Flag anlegen",
      text: "Ein Flag steuert eine Änderung, die ohne neues Release eingeschaltet werden soll.",
    },
    on: {
      title: "Einschalten",
      text: "Neue Flags sind überall aus. In einer Umgebung ohne Kunden kann es für alle eingeschaltet werden.",
    },
    key: {
      title: "API-Schlüssel anlegen",
      text: "Damit wertet die Anwendung die Flags einer Umgebung aus.",
    },
    call: {
      title: "Flag auswerten",
      text: "Die API mit dem Schlüssel aufrufen, wie es die Anwendung tun wird.",
    },
  },
  createEnvironments: "development und production anlegen",
  flagName: "Neue Kasse",
  isOn: "Ein in {{environment}}",
  switchOn: "„{{flag}}“ in {{environment}} einschalten",
  keyName: "Erster Schlüssel",
  whoAsks: "Art des Schlüssels",
  createKey: "Schlüssel für {{environment}} anlegen",
  runHere: "Auf dieser Seite auswerten",
  answerOn: "„{{flag}}“ ist ein.",
  answerOff:
    "„{{flag}}“ ist aus. Wurde es gerade eingeschaltet, kommt die Änderung innerhalb von 30 Sekunden an.",
  orInCode: "Oder im eigenen Code:",
  withYourKey: "Den eigenen Schlüssel einsetzen und den Code ausführen:",
  withYourKeyOrAnother:
    "Den eigenen Schlüssel einsetzen und den Code ausführen. Fehlt er, <another>einen neuen anlegen</another>.",
  yourKey: "API-SCHLUESSEL",
  waiting: "Warten auf den ersten Aufruf … Er erscheint hier nach wenigen Sekunden.",
  called: "Erster Aufruf empfangen",
  adminEnvironments: "Umgebungen kann die Administration anlegen.",
  adminKey: "API-Schlüssel kann die Administration anlegen.",
  developerFlag: "Diese Rolle darf nur lesen. Flags können Entwicklung und Administration anlegen.",
  developerSwitch:
    "Diese Rolle darf nur lesen. Flags können Entwicklung und Administration einschalten.",
  allDone: "Das erste Flag funktioniert",
  allDoneText:
    "Als Nächstes: an einige Nutzer ausrollen, im Playground testen oder ein weiteres Flag anlegen.",
  toFlag: "„{{flag}}“ öffnen",
  toPlayground: "Playground öffnen",
  toFlags: "Alle Flags",
  hintTitle: "Dieses Projekt ist leer",
  hintText: "In fünf kurzen Schritten zum ersten Flag.",
  hintAction: "Erste Schritte",

  snippetLanguages: "Sprache des Beispiels",
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
    "OpenFeature hat SDKs für viele Sprachen. Ihr OFREP-Provider braucht die Basis-URL {{url}} und diesen Schlüssel als Bearer-Token.",
  openfeatureDocs: "Beispiele für Web, React, Node, Python und Go (englisch)",
  sdkHint:
    "Das SDK für Node, Deno, Bun und Workers wertet Flags im eigenen Prozess aus, ohne auf das Netz zu warten.",
  unleashHint:
    "Mit Unleash-SDKs: Eine Anwendung mit einem SDK von Unleash braucht nur die URL {{url}} und diesen Schlüssel als Token. Für SDKs, die die Form des Tokens prüfen, „*:production.“ vor den Schlüssel setzen.",
  unleashDocs: "In vier Schritten von Unleash umziehen (englisch)",
  copyCode: "Code kopieren",
  serverKeyHint:
    "Ein Server-Schlüssel liest alle Regeln. Er bleibt geheim: nie in einem Browser oder Repository ablegen.",
  frontendKeyHint:
    "Ein Frontend-Schlüssel kann nur Flags auswerten und Nutzung melden. Er darf mit der App veröffentlicht werden.",
};
