import type { Messages } from "../en/index.ts";

export const environments: Messages["environments"] = {
  about:
    "Wo die Anwendung läuft, in der Reihenfolge eines Releases. Jedes Flag hat in jeder Umgebung einen eigenen Zustand.",
  new: "Neue Umgebung",
  create: "Umgebung anlegen",
  none: "Noch keine Umgebungen",
  noneText:
    "Umgebungen sind die Orte, an denen die Anwendung läuft, etwa „development“, „staging“ und „production“. Zuerst eine anlegen, dann einen API-Schlüssel für sie.",
  nameHint: "Zum Beispiel „staging“. Schlüssel und SDKs hängen nicht vom Namen ab.",
  nameInUse: "Eine andere Umgebung dieses Projekts heißt schon so",
  flagsOn: "Flags an",
  onOf: "{{on}} von {{flags}}",
  revision: "Revision",
  rules: "Regelgröße",
  rulesOf: "{{size}} von {{limit}}",
  rulesHint:
    "Die Größe aller Bedingungen der Umgebung und jedes Segments, so oft Flags es verwenden. Änderungen über das Limit hinaus werden abgelehnt.",
  keys_one: "{{count}} Schlüssel",
  keys_other: "{{count}} Schlüssel",
  production: "Produktion",
  productionMeans:
    "Die Kundschaft nutzt diese Umgebung. Sie ist überall gekennzeichnet, und jede Änderung dort wird erst nach Rückfrage gemacht.",
  revisionHint:
    "Steigt mit jeder Änderung, die das Ergebnis eines Flags ändern kann. SDKs melden, welche sie haben.",
  editOne: "{{name}} bearbeiten",
  delete: "Umgebung löschen",
  deleteOne: "{{name}} löschen",
  deleteAsk: "„{{name}}“ löschen?",
  deleted: "{{name}} gelöscht",
  deleteText:
    "Damit werden die Einstellungen aller Flags in dieser Umgebung gelöscht (Zustand, Rollout, Bedingungen und Segmente), ebenso die Nutzungszahlen. Das lässt sich nicht rückgängig machen.",
  keysLeft_one:
    "Sie hat noch {{count}} API-Schlüssel. Dieser muss zuerst widerrufen werden. SDKs mit ihm erhalten dann 401 und behalten ihre Regeln im Cache.",
  keysLeft_other:
    "Sie hat noch {{count}} API-Schlüssel. Diese müssen zuerst widerrufen werden. SDKs mit ihnen erhalten dann 401 und behalten ihre Regeln im Cache.",
  protection: {
    column: "Schutz",
    none: "Nicht geschützt",
    needs_one: "Geschützt: {{count}} Genehmigung",
    needs_other: "Geschützt: {{count}} Genehmigungen",
    open: "Schutz von {{name}}",
    requiredApprovals: "Nötige Genehmigungen",
    requiredApprovalsHint:
      "0: Die Umgebung ist nicht geschützt. {{people}} dürfen genehmigen; wer die Änderung geschrieben hat, zählt nicht.",
    people_one: "{{count}} Person",
    people_other: "{{count}} Personen",
    approverRole: "Niedrigste Rolle zum Genehmigen",
    memberAccess: "Wer Regeln direkt ändern darf",
    roles: "Alle, deren Rolle es erlaubt",
    list: "Administratoren und Personen der Liste",
    requireReason: "Eine direkte Änderung braucht einen Grund",
    requireReasonHint: "Der Grund steht im Audit-Log.",
    allowTurnOff: "Ein Flag lässt sich immer direkt ausschalten",
    allowTurnOffHint:
      "Ohne Genehmigung, Grund oder Eintrag in der Liste, damit sich eine Störung sofort beenden lässt.",
    allowBypass: "Administratoren dürfen die Genehmigung umgehen",
    allowBypassHint:
      "Sie brauchen einen Grund, und alle, die genehmigen dürfen, erhalten eine E-Mail.",
    weaker:
      "Ein schwächerer Schutz braucht einen Grund. Alle Administratoren erhalten eine E-Mail.",
    tooFew: "So viele Genehmigungen sind nicht möglich, weil zu wenige Personen genehmigen dürfen.",
    members: "Personen",
    canWrite: "{{name}} darf Regeln ändern",
    canApprove: "{{name}} darf genehmigen",
    write: "Ändert",
    approve: "Genehmigt",
    saved: "Schutz von {{name}} gespeichert",
  },
  toKeys: "Zu den API-Schlüsseln",
};

export const comparison: Messages["comparison"] = {
  title: "Umgebungen vergleichen",
  about: "Unterschiede zwischen zwei Umgebungen finden und übertragen.",
  from: "Kopieren aus",
  to: "Kopieren nach",
  swap: "Umgebungen tauschen",
  show: "Anzeigen",
  differing: "Unterschiede",
  allFlags: "Alle Flags",
  search: "Nach Name oder Schlüssel suchen",
  differ_one: "{{count}} Flag mit Unterschieden",
  differ_other: "{{count, number}} Flags mit Unterschieden",
  left_one: "{{count}} weiteres Flag ist nicht verglichen. Die Suche findet es.",
  left_other: "{{count, number}} weitere Flags sind nicht verglichen. Die Suche findet sie.",
  same: "Gleich",
  none: "Keine Unterschiede",
  noneText: "Alle Flags haben in {{from}} und {{to}} dasselbe Targeting und denselben Zustand.",
  noMatch: "Keine passenden Flags",
  noMatchText:
    "Kein Flag, auf das die Suche passt, hat Unterschiede. Bitte die Suche ändern oder alle Flags anzeigen.",
  needsTwo: "Ein Vergleich braucht zwei Umgebungen",
  needsTwoText: "Dieses Projekt hat weniger als zwei Umgebungen.",
  select: "{{flag}} auswählen",
  selectAll: "Alle mit Unterschieden auswählen",
  selectFirst: "Die ersten {{count, number}} mit Unterschieden auswählen",
  copy_one: "{{count}} Flag nach {{environment}} kopieren …",
  copy_other: "{{count, number}} Flags nach {{environment}} kopieren …",
  fields: "Verschieden in",
  otherFlags: "Unterschiede anderer Flags",
  dialog: {
    title_one: "{{count}} Flag von {{from}} nach {{to}} kopieren?",
    title_other: "{{count, number}} Flags von {{from}} nach {{to}} kopieren?",
    consequence:
      "Innerhalb von 30 Sekunden haben diese Flags in {{to}} dasselbe Targeting wie in {{from}}. Ihr jetziges Targeting in {{to}} wird ersetzt.",
    withState: "Auch kopieren, ob die Flags an oder aus sind",
    turnsOn_one: "Schaltet {{count}} Flag ein",
    turnsOn_other: "Schaltet {{count, number}} Flags ein",
    turnsOff_one: "Schaltet {{count}} Flag aus",
    turnsOff_other: "Schaltet {{count, number}} Flags aus",
    onlyState: "Nur der Zustand: nicht kopiert",
    moreMoves: "je Flag bekommen bis zu {{share}} einen anderen Wert",
    nothing:
      "Die ausgewählten Flags unterscheiden sich nur darin, ob sie an oder aus sind. Bitte auch das kopieren oder abbrechen.",
    submit: "Nach {{environment}} kopieren",
    changed_one:
      "Dieses Flag hat sich geändert, seit dieser Dialog geöffnet wurde. Nichts wurde kopiert. Bitte den Dialog schließen, den aktuellen Vergleich prüfen und noch einmal kopieren.",
    changed_other:
      "Diese Flags haben sich geändert, seit dieser Dialog geöffnet wurde. Nichts wurde kopiert. Bitte den Dialog schließen, den aktuellen Vergleich prüfen und noch einmal kopieren.",
  },
  done_one: "{{count}} Flag nach {{environment}} kopiert",
  done_other: "{{count, number}} Flags nach {{environment}} kopiert",
  undone_one: "{{count}} Flag in {{environment}} zurückgesetzt",
  undone_other: "{{count, number}} Flags in {{environment}} zurückgesetzt",
};

export const apiKeys: Messages["apiKeys"] = {
  about:
    "Anwendungen werten mit einem API-Schlüssel die Flags einer Umgebung aus. Am besten bekommt jede Anwendung einen eigenen, damit er sich einzeln widerrufen lässt.",
  new: "Neuer API-Schlüssel",
  create: "Schlüssel anlegen",
  none: "Noch keine API-Schlüssel",
  noneText:
    "Eine Anwendung braucht einen API-Schlüssel, um Flags auszuwerten. Er wird nur einmal angezeigt, mit Code zum Einfügen.",
  noneHere: "Keine API-Schlüssel passen zu diesen Filtern",
  search: "API-Schlüssel suchen",
  noEnvironment: "Zuerst eine Umgebung anlegen",
  noEnvironmentText:
    "Jeder API-Schlüssel gehört zu einer Umgebung, und dieses Projekt hat noch keine.",
  environment: "Umgebung",
  environmentHint:
    "Der Schlüssel liest nur die Flags dieser Umgebung. Das lässt sich später nicht ändern.",
  nameHint: "Die Anwendung, die ihn benutzt, etwa „Webshop-Backend“.",
  key: "API-Schlüssel",
  type: "Art",
  types: { SERVER: "Server", FRONTEND: "Frontend" },
  typesInShort: { SERVER: "Geheim", FRONTEND: "Sicher für Clients" },
  typeChoices: { SERVER: "Server-Schlüssel", FRONTEND: "Frontend-Schlüssel" },
  typesAtLength: {
    SERVER:
      "Für Backends und Skripte. Er liest alle Regeln. Geheim halten: nie in einem Browser oder einer App verwenden.",
    FRONTEND:
      "Für Browser und Apps. Er darf öffentlich sein: Er wertet Flags aus und meldet Nutzung, kann aber keine Regeln lesen.",
  },
  canWrite: "Der Schlüssel darf Rollouts ändern",
  canWriteHint:
    "Für Skripte, die Flags dieser Umgebung über die API schalten. Eine Anwendung, die nur auswertet, braucht es nicht.",
  writes: "liest und ändert Rollouts",
  onlyReads: "liest nur",
  endsIn: "endet auf",
  created: "Angelegt",
  lastUsed: "Zuletzt benutzt",
  neverUsed: "nie benutzt",
  editOne: "{{name}} bearbeiten",
  revoke: "Schlüssel widerrufen",
  revokeOne: "{{name}} widerrufen",
  revokeAsk: "„{{name}}“ widerrufen?",
  revoked: "{{name}} widerrufen",
  revokeUnused: "Dieser Schlüssel wurde nie benutzt.",
  revokeUsed: "Zuletzt <when><time/></when> in {{environment}} benutzt.",
  revokeApps:
    "Zuletzt in {{environment}} gesehene Anwendungen, mit diesem oder einem anderen Schlüssel: {{apps}}.",
  revokeEffect: {
    SERVER:
      "Anfragen mit diesem Schlüssel werden mit 401 abgelehnt, meist innerhalb von 3 Sekunden. SDKs mit diesem Schlüssel erhalten keine Änderungen mehr und behalten ihre Regeln im Cache, bis sie neu starten. Das lässt sich nicht rückgängig machen.",
    FRONTEND:
      "Anfragen mit diesem Schlüssel werden mit 401 abgelehnt, meist innerhalb von 3 Sekunden. Apps mit diesem Schlüssel erhalten keine Änderungen mehr und behalten ihre Ergebnisse im Cache, bis sie neu starten. Das lässt sich nicht rückgängig machen.",
  },
  isCreated: "{{name}} angelegt",
  tryIt: "Schlüssel verwenden",
  exampleFlag: "Flag in den Beispielen",
  onlyOnce: "Jetzt kopieren und sicher aufbewahren. Es wird nicht noch einmal angezeigt.",
  done: "Fertig",
  leaveTitle: "Ohne Kopieren schließen?",
  leaveText: "Es ist noch nicht kopiert und wird nicht noch einmal angezeigt.",
  leave: "Trotzdem schließen",
};
