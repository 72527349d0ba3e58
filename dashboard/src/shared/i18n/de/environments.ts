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
