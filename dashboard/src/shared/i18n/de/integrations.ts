import type { Translated } from "../translated.ts";
import type { integrations as english } from "../en/integrations.ts";

export const integrations = {
  one: "Integration",
  about:
    "Webhooks: Wenn sich ein Flag oder ein Segment ändert, ruft der Dienst eine eigene Adresse auf, etwa die eines Chats oder eines Deployments.",
  new: "Neue Integration",
  create: "Integration anlegen",
  none: "Noch erfährt niemand von Änderungen",
  noneText:
    "Eine Integration ruft eine eigene Adresse auf, sobald sich ein Flag oder ein Segment ändert: signiert und mit Wiederholungen, damit nichts verloren geht.",
  state: "Zustand",
  states: { on: "Ein", off: "Aus", failing: "Gestört", switchedOff: "Abgeschaltet" },
  since: "seit",
  enabled: "Eingeschaltet",
  failingText:
    "Der erste Fehler war <time/>, seither ist nichts angekommen. Es wird von selbst weiter versucht; nach drei Tagen ohne Erfolg wird die Integration abgeschaltet.",
  switchedOffText:
    "Der Dienst hat sie <time/> abgeschaltet, weil der Empfänger drei Tage lang gestört war. Erst den Empfänger in Ordnung bringen, dann einschalten und erneut senden, was gescheitert ist.",
  offText: "Sie ist aus: Es wird nichts gesendet.",
  turnOff: "Ausschalten",
  turnOffAsk: "„{{name}}“ ausschalten?",
  turnOffText:
    "Zustellungen, die auf einen weiteren Versuch warten, werden zurückgehalten und gehen weiter, sobald sie wieder eingeschaltet ist. Was geschieht, während sie aus ist, wird nicht gesendet, auch nicht später.",
  lastSuccess: "Letzter Erfolg",
  url: "URL",
  urlHint: "Dorthin gehen die Ereignisse, als POST-Anfragen. Eine öffentliche https-Adresse.",
  nameInUse: "Eine andere Integration dieses Projekts heißt schon so",
  events: "Ereignisse",
  allEvents: "Alle Ereignisse",
  someEvents: "{{count}} von {{all}}",
  noEvent: "Mindestens ein Ereignis auswählen.",
  groups: { flag: "Alle von Flags", segment: "Alle von Segmenten" },
  eventNames: {
    flag: {
      created: "Flag angelegt",
      updated: "Flag oder seine Strategie geändert",
      archived: "Flag archiviert",
      unarchived: "Flag aus dem Archiv geholt",
      deleted: "Flag gelöscht",
    },
    segment: {
      created: "Segment angelegt",
      updated: "Segment geändert",
      deleted: "Segment gelöscht",
    },
  },
  headers: "Header",
  headersHint:
    "Werden mit jeder Anfrage gesendet, etwa ein Authorization-Header des Empfängers. Die Werte werden verschlüsselt gespeichert und nie wieder gezeigt.",
  headerName: "Name von Header {{number}}",
  headerValue: "Wert von Header {{number}}",
  headerStays: "bleibt, wie er ist; bei anderem Host neu eingeben",
  headerAdd: "Header hinzufügen",
  headerRemove: "Header {{number}} entfernen",
  headerTwice: "Ein Header ist doppelt.",
  secret: "Signaturgeheimnis",
  secretHidden: "Wurde einmal gezeigt, als es entstand",
  secretUse:
    "Der Empfänger braucht es: Damit prüft er, ob eine Anfrage von hier kommt. Wie das geht, steht auf der Seite der Integration.",
  isCreated: "„{{name}}“ ist angelegt",
  newSecret: "Neues Signaturgeheimnis",
  newSecretAsk: "Das Signaturgeheimnis ersetzen?",
  newSecretText:
    "24 Stunden lang werden alle Anfragen mit dem alten und mit dem neuen Geheimnis signiert. Der Empfänger braucht das neue innerhalb dieser Zeit. Ist das alte bekannt geworden, soll der Empfänger es sofort ablehnen.",
  newHostSecret:
    "Der Empfänger hat jetzt einen anderen Host. Deshalb hat die Integration ein neues Signaturgeheimnis, und das alte signiert keine Anfragen mehr. Der Empfänger braucht das neue.",
  hasNewSecret: "„{{name}}“ hat ein neues Geheimnis",
  more: "Weitere Aktionen",
  editOne: "{{name}} bearbeiten",
  delete: "Integration löschen",
  deleteAsk: "„{{name}}“ löschen?",
  deleteText:
    "Was ihr noch gesendet werden sollte, verschwindet mit ihr, ebenso die Liste ihrer Zustellungen. Das lässt sich nicht rückgängig machen.",
  deleted: "„{{name}}“ ist gelöscht",
  test: "Test senden",
  testResult: "Ergebnis des Tests",
  testSucceeded: "Der Empfänger hat ihn angenommen",
  testFailed: "Der Empfänger hat ihn nicht angenommen",
  testAnswer: "Er hat nach {{ms}} ms mit {{status}} geantwortet.",
  deliveries: "Zustellungen",
  status: "Status",
  statuses: {
    pending: "Unterwegs",
    held: "Zurückgehalten",
    succeeded: "Zugestellt",
    dead: "Gescheitert",
  },
  heldHint: {
    quota:
      "Das Kontingent des Projekts für diesen Monat ist aufgebraucht. Der Dienst sendet diese Zustellungen, sobald es sich erneuert.",
    disabled:
      "Die Integration ist aus. Der Dienst sendet diese Zustellungen, sobald sie wieder eingeschaltet ist.",
  },
  event: "Ereignis",
  happened: "Geschehen",
  attempts: "Versuche",
  nextAttempt: "nächster",
  details: "Einzelheiten",
  detailsOf: "Einzelheiten zu {{event}}",
  redeliver: "Erneut senden",
  redelivered: "{{event}} ist wieder unterwegs",
  noMatch: "Keine Zustellungen mit diesem Status",
  noDelivery: "Noch wurde nichts gesendet",
  noDeliveryText:
    "Einen Test senden oder ein Flag ändern: Was gesendet wurde und was zurückkam, steht dann hier.",
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
  quotaLeft:
    "{{left}} sind übrig, für alle Integrationen dieses Projekts. Neu gezählt wird ab dem {{when}}.",
  quotaGone:
    "Aufgebraucht. Was jetzt kommt, wird zurückgehalten und geht ab dem {{when}} hinaus; nichts geht verloren.",
  verify: "Wie der Empfänger prüft, ob eine Anfrage von hier kommt",
  verifyText:
    "Anfragen sind nach <standard>Standard Webhooks</standard> signiert. Für die meisten Sprachen gibt es eine Bibliothek; so sieht ein Empfänger in JavaScript aus:",
  verifyByHand: "Ohne Bibliothek:",
  verifySteps: {
    time: "Eine Anfrage abweisen, deren webhook-timestamp (in Sekunden) mehr als fünf Minuten abweicht.",
    sign: "Den Teil des Geheimnisses nach whsec_ aus Base64 dekodieren. Damit als Schlüssel den HMAC-SHA256 bilden über webhook-id, webhook-timestamp und den Inhalt, wie er kam, mit Punkten verbunden.",
    compare:
      "In Base64 und mit v1, davor ist das Ergebnis eine der Signaturen in webhook-signature. In konstanter Zeit vergleichen.",
    once: "Jede webhook-id einen Tag lang merken: Kommt ein Ereignis zweimal, ist sie dieselbe.",
  },
} satisfies Translated<typeof english>;
