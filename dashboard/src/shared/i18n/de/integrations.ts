import type { Messages } from "../en/index.ts";

export const integrations: Messages["integrations"] = {
  one: "Integration",
  back: "Alle Integrationen",
  about:
    "Slack, Microsoft Teams oder einem eigenen Endpunkt melden, wenn sich ein Flag oder Segment ändert.",
  new: "Neue Integration",
  create: "Integration anlegen",
  none: "Noch keine Integrationen",
  noneText:
    "Bei jeder Änderung eines Flags oder Segments sendet eine Integration eine Nachricht an einen Chat-Kanal oder einen signierten Webhook an einen Endpunkt, mit automatischen Wiederholungen.",
  search: "Nach Name oder URL suchen",
  type: "Art",
  types: { custom_webhook: "Webhook", slack: "Slack", microsoft_teams: "Microsoft Teams" },
  state: "Zustand",
  states: { on: "Ein", off: "Aus", failing: "Gestört", switchedOff: "Automatisch deaktiviert" },
  since: "seit",
  enabled: "Eingeschaltet",
  failingText:
    "Zustellungen schlagen fehl. Der erste Fehler war <time/>. Der Dienst versucht es weiter. Nach drei Tagen ohne Erfolg schaltet er die Integration aus.",
  switchedOffText:
    "Der Dienst hat sie <time/> ausgeschaltet, weil Zustellungen drei Tage lang fehlschlugen. Den Empfänger reparieren, die Integration einschalten und die fehlgeschlagenen Zustellungen erneut senden.",
  offText: "Aus. Es wird nichts gesendet.",
  turnOff: "Ausschalten",
  turnOffAsk: "„{{name}}“ ausschalten?",
  turnOffText:
    "Zustellungen, die auf eine Wiederholung warten, werden zurückgehalten, bis sie wieder eingeschaltet ist. Ereignisse, die in der Zwischenzeit geschehen, werden nie gesendet.",
  lastSuccess: "Letzter Erfolg",
  url: "URL",
  urlHints: {
    custom_webhook:
      "Ereignisse werden als POST-Anfragen hierhin gesendet. Es muss eine öffentliche https-Adresse sein.",
    slack: "Die URL eines eingehenden Webhooks, aus den Einstellungen der Slack-App.",
    microsoft_teams:
      "Die URL eines Workflows des Kanals, aus der Vorlage „Webhookwarnungen an einen Kanal senden“.",
  },
  nameInUse: "Eine andere Integration dieses Projekts heißt schon so",
  events: "Ereignisse",
  allEvents: "Alle Ereignisse",
  someEvents: "{{count}} von {{all}}",
  noEvent: "Mindestens ein Ereignis auswählen.",
  groups: {
    flag: "Alle Flag-Ereignisse",
    segment: "Alle Segment-Ereignisse",
    environment: "Alle Umgebungs-Ereignisse",
    "change-request": "Alle Ereignisse von Änderungsanträgen",
  },
  eventNames: {
    flag: {
      created: "Flag angelegt",
      updated: "Flag oder Strategie geändert",
      archived: "Flag archiviert",
      unarchived: "Archivierung aufgehoben",
      stale: "Flag veraltet",
      deleted: "Flag gelöscht",
    },
    segment: {
      created: "Segment angelegt",
      updated: "Segment geändert",
      deleted: "Segment gelöscht",
    },
    environment: { "protection-updated": "Schutz einer Umgebung geändert" },
    "change-request": {
      opened: "Änderungsantrag eröffnet",
      reviewed: "Änderungsantrag geprüft",
      applied: "Änderungsantrag angewendet",
      outdated: "Geplanter Änderungsantrag veraltet",
      blocked: "Geplanter Änderungsantrag blockiert",
      closed: "Änderungsantrag geschlossen",
    },
  },
  headers: "Header",
  headersHint:
    "Werden mit jeder Anfrage gesendet, etwa Authorization. Werte werden verschlüsselt gespeichert und nie wieder angezeigt.",
  headerName: "Name von Header {{number}}",
  headerValue: "Wert von Header {{number}}",
  headerStays: "unverändert; bei anderem Host neu eingeben",
  headerAdd: "Header hinzufügen",
  headerRemove: "Header {{number}} entfernen",
  headerTwice: "Doppelter Header.",
  secret: "Signaturgeheimnis",
  secretHidden: "Verborgen; nur beim Anlegen angezeigt",
  secretUse:
    "Der Empfänger braucht es, um Anfragen zu prüfen. Die Seite der Integration erklärt, wie.",
  isCreated: "{{name}} angelegt",
  newSecret: "Neues Signaturgeheimnis",
  newSecretAsk: "Das Signaturgeheimnis ersetzen?",
  newSecretText:
    "24 Stunden lang werden Anfragen mit dem alten und dem neuen Geheimnis signiert. Der Empfänger braucht das neue innerhalb dieser Zeit. Wurde das alte bekannt, sollte der Empfänger es sofort ablehnen.",
  newHostSecret:
    "Der Empfänger hat einen neuen Host, daher hat die Integration ein neues Signaturgeheimnis. Das alte signiert keine Anfragen mehr. Der Empfänger braucht das neue.",
  hasNewSecret: "{{name}} hat ein neues Geheimnis",
  more: "Weitere Aktionen",
  editOne: "{{name}} bearbeiten",
  delete: "Integration löschen",
  deleteAsk: "„{{name}}“ löschen?",
  deleteText:
    "Ausstehende Ereignisse und die Liste der Zustellungen werden mitgelöscht. Das lässt sich nicht rückgängig machen.",
  deleted: "{{name}} gelöscht",
  test: "Test senden",
  testResult: "Ergebnis des Tests",
  testSucceeded: "Zugestellt",
  testFailed: "Zustellung fehlgeschlagen",
  testAnswer: "Antwort: {{status}} nach {{ms}} ms.",
  deliveries: "Zustellungen",
  status: "Status",
  statuses: {
    pending: "Ausstehend",
    retrying: "Fehlgeschlagen, neuer Versuch folgt",
    held: "Zurückgehalten",
    succeeded: "Zugestellt",
    dead: "Fehlgeschlagen",
  },
  heldHint: {
    quota:
      "Das Kontingent des Projekts für diesen Monat ist aufgebraucht. Diese Zustellungen werden gesendet, sobald es sich erneuert.",
    disabled:
      "Die Integration ist aus. Diese Zustellungen werden gesendet, sobald sie wieder eingeschaltet ist.",
  },
  event: "Ereignis",
  happened: "Zeit",
  attempts: "Versuche",
  nextAttempt: "nächster",
  details: "Details",
  detailsOf: "Details zu {{event}}",
  redeliver: "Erneut senden",
  retryNow: "Jetzt wiederholen",
  redelivered: "{{event}} erneut eingereiht",
  noMatch: "Keine Zustellungen mit diesem Status",
  noDelivery: "Noch keine Zustellungen",
  noDeliveryText:
    "Einen Test senden oder ein Flag ändern. Anfragen und Antworten stehen dann hier.",
  request: "Anfrage",
  response: "Antwort",
  attemptLog_one: "{{count}} Versuch",
  attemptLog_other: "{{count}} Versuche, der neueste zuerst",
  noAttempt: "Noch keiner.",
  noAnswer: "Keine Antwort",
  emptyResponse: "Leere Antwort",
  ms: "{{ms}} ms",
  quota: "Zustellungen in diesem Monat",
  quotaUsed: "{{used}} von {{limit}}",
  quotaLeft: "Noch {{left}} für alle Integrationen dieses Projekts. Erneuert sich am {{when}}.",
  quotaGone:
    "Aufgebraucht. Neue Zustellungen werden zurückgehalten und ab dem {{when}} gesendet. Nichts geht verloren.",
  verify: "Anfragen prüfen",
  verifyText:
    "Anfragen sind nach <standard>Standard Webhooks</standard> signiert. Für die meisten Sprachen gibt es eine Bibliothek. Ein Empfänger in JavaScript:",
  verifyByHand: "Ohne Bibliothek:",
  verifySteps: {
    time: "Anfragen ablehnen, deren webhook-timestamp (in Sekunden) mehr als fünf Minuten abweicht.",
    sign: "Den Teil des Geheimnisses nach whsec_ aus Base64 dekodieren. Damit als Schlüssel den HMAC-SHA256 über webhook-id, webhook-timestamp und den unveränderten Inhalt bilden, mit Punkten verbunden.",
    compare:
      "Das Ergebnis in Base64 kodieren und v1, davorsetzen. Es muss einer der Signaturen in webhook-signature gleichen. In konstanter Zeit vergleichen.",
    once: "Jede webhook-id einen Tag lang speichern, um Duplikate zu erkennen: Ein zweimal gesendetes Ereignis hat dieselbe.",
  },
};
