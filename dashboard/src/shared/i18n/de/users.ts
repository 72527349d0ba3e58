import type { Translated } from "../translated.ts";
import type { users as english } from "../en/users.ts";

export const users = {
  intro: "Alle, die hier mit Flags arbeiten, und was sie dürfen.",
  invite: "Jemanden einladen",
  search: "Nach Name oder E-Mail suchen",
  found_one: "{{count}} Person",
  found_other: "{{count}} Personen",
  nobody: "Niemand gefunden",
  nobodyText: "Gesucht wird in Namen und E-Mail-Adressen.",
  person: "Person",
  role: "Rolle",
  status: "Status",
  lastActive: "Zuletzt aktiv",
  you: "Du",
  actionsFor: "Aktionen für {{name}}",

  roles: { ADMIN: "Administration", DEVELOPER: "Entwicklung", VIEWER: "Nur Lesen" },
  roleMeans: {
    ADMIN:
      "Darf alles, auch Personen, Einstellungen, Umgebungen, API-Schlüssel und Integrationen verwalten.",
    DEVELOPER:
      "Verwaltet Flags, Strategien, Segmente, Kontexte und Tags; sieht alles andere in den Projekten.",
    VIEWER: "Sieht Flags und alles, was dazugehört; ändert nichts.",
  },
  statuses: { ACTIVE: "Aktiv", INVITED: "Eingeladen", DISABLED: "Gesperrt" },

  inviteTitle: "Jemanden einladen",
  inviteText: "Per Mail kommt ein Link, um ein Passwort zu wählen. Er gilt 7 Tage.",
  email: "E-Mail",
  emailWrong: "Das ist keine E-Mail-Adresse",
  known: "Diese Adresse hat schon ein Konto.",
  quota: "Mehr Personen sind hier nicht möglich. Erst ein anderes Konto löschen.",
  nameHint: "Lässt sich beim Beitreten noch ändern.",
  sendInvitation: "Einladung senden",
  invited: "Eine Einladung an {{email}} ist unterwegs.",
  unsentTitle: "Die Mail an {{email}} konnte nicht gesendet werden",
  unsentText:
    "Die Einladung selbst bleibt bestehen. Später noch einmal senden; klappt auch das nicht, liegt es an den Mail-Einstellungen des Dienstes.",
  inviteAgain: "Einladung noch einmal senden",
  accepted: "{{name}} hat die Einladung inzwischen angenommen.",

  edit: "Bearbeiten",
  editTitle: "{{name}} bearbeiten",
  editOwn: "Das ist das eigene Konto. Eine andere Rolle oder ein gesperrter Zugang meldet dich ab.",
  endsSessions: "Eine andere Rolle oder ein gesperrter Zugang meldet diese Person überall ab.",
  maySignIn: "Darf sich anmelden",
  maySignInHint:
    "Sonst bleibt das Konto bestehen, öffnet aber nichts. Das lässt sich zurücknehmen.",
  lastAdmin:
    "Das ist das letzte Konto mit der Rolle Administration. Erst jemand anderem diese Rolle geben.",
  saved: "{{name}} ist gespeichert.",

  resetMfa: "Zweiten Faktor zurücksetzen",
  resetMfaTitle: "Zweiten Faktor von {{name}} zurücksetzen?",
  resetMfaText:
    "Für alle, die ihr Telefon und die Wiederherstellungscodes verloren haben. Die Person wird überall abgemeldet; bis sie einen neuen einrichtet, reicht das Passwort. Vorher sicherstellen, dass wirklich sie darum bittet.",
  mfaReset: "{{name}} meldet sich jetzt nur mit dem Passwort an.",
  noMfa: "{{name}} hat keinen zweiten Faktor.",

  delete: "Löschen",
  deleteTitle: "{{name}} löschen?",
  deleteText:
    "{{email}} wird überall abgemeldet und kann sich nicht mehr anmelden. Im Protokoll bleibt alles stehen.",
  deleteInvited: "Der Link in der Mail an {{email}} funktioniert dann nicht mehr.",
  deleteOwn: "Das ist das eigene Konto: Danach ist keine Anmeldung mehr möglich.",
  deleted: "{{name}} ist gelöscht.",
} satisfies Translated<typeof english>;
