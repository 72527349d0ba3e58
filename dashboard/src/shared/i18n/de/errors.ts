import type { Messages } from "../en/index.ts";

export const errors: Messages["errors"] = {
  unknown: "Etwas ist schiefgegangen. Bitte noch einmal versuchen.",
  unreachable:
    "Der Server ist nicht erreichbar. Bitte die Verbindung prüfen und noch einmal versuchen.",
  unreadable:
    "Die Antwort kam nicht vom Dienst. Bitte die Verbindung prüfen und noch einmal versuchen.",
  offline: "Keine Verbindung. Diese Seite kann veraltet sein.",
  server: "Der Server konnte die Anfrage nicht verarbeiten. Bitte gleich noch einmal versuchen.",
  provider:
    "Der Identitätsanbieter antwortet nicht, oder seine Konfiguration ist ungültig. Bitte noch einmal versuchen, sonst die Administration fragen.",
  fields: "Bitte die markierten Felder korrigieren.",
  forbidden: "Diese Rolle erlaubt das nicht.",
  notFound: "Nicht gefunden. Vielleicht wurde es gelöscht.",
  noAccess: "Kein Zugriff auf diese Seite",
  noAccessText: "Die eigene Rolle erlaubt das nicht. Die Administration kann sie ändern.",
  missing: "Nicht gefunden",
  missingText: "Vielleicht wurde es gelöscht, oder die Adresse ist falsch.",
  signedOut: "Die Sitzung endete vor dem Speichern. Bitte anmelden und noch einmal versuchen.",
  conflict: "Jemand anders hat das geändert. Vor dem Bearbeiten bitte neu laden.",
  approvalRequired: "Diese Änderung braucht eine Genehmigung in {{environments}}.",
  outdated:
    "Die Grundlage des Änderungsantrags hat sich inzwischen geändert. Er muss zuerst angepasst werden.",
  credentials: "Die E-Mail-Adresse oder das Passwort ist falsch.",
  tooMany: "Zu viele Versuche. Wieder möglich {{when}}.",
  later: "später",
  trace: "Trace-ID",
  copyTrace: "Trace-ID kopieren",
  pageFailed: "Diese Seite kann nicht angezeigt werden",
  pageMissing: "Seite nicht gefunden",
  pageMissingText: "Vielleicht ist die Adresse falsch, oder die Seite wurde gelöscht.",
  home: "Zu den Projekten",
};
