import type { Translated } from "../translated.ts";
import type { errors as english } from "../en/errors.ts";

export const errors = {
  unknown: "Etwas ist schiefgegangen. Bitte noch einmal versuchen.",
  unreachable:
    "Der Server ist nicht erreichbar. Bitte die Verbindung prüfen und noch einmal versuchen.",
  unreadable:
    "Geantwortet hat etwas anderes als der Dienst. Bitte die Verbindung prüfen und noch einmal versuchen.",
  offline: "Keine Verbindung. Was hier steht, kann veraltet sein.",
  server: "Der Server konnte das nicht erledigen. Bitte gleich noch einmal versuchen.",
  fields: "Noch nicht gespeichert: Mit den markierten Feldern stimmt etwas nicht.",
  forbidden: "Diese Rolle erlaubt das nicht.",
  notFound: "Das gibt es nicht, oder nicht mehr.",
  conflict: "Jemand hat das inzwischen geändert. Vor der nächsten Änderung bitte neu laden.",
  credentials: "Die E-Mail-Adresse oder das Passwort ist falsch.",
  tooMany: "Zu viele Versuche. Wieder möglich {{when}}.",
  later: "später",
  trace: "Trace-Id",
  copyTrace: "Trace-Id kopieren",
  pageFailed: "Diese Seite kann nicht gezeigt werden",
  pageMissing: "Diese Seite gibt es nicht",
  pageMissingText: "Vielleicht ist die Adresse vertippt, oder das Gesuchte ist gelöscht.",
  home: "Zu den Projekten",
} satisfies Translated<typeof english>;
