import type { Messages } from "../en/index.ts";

export const users: Messages["users"] = {
  intro: "Personen mit Zugang und ihre Rollen.",
  invite: "Person einladen",
  search: "Nach Name oder E-Mail suchen",
  found_one: "{{count}} Person",
  found_other: "{{count}} Personen",
  nobody: "Niemand gefunden",
  nobodyText: "Nach einem Namen oder einer E-Mail-Adresse suchen.",
  person: "Person",
  role: "Rolle",
  projectRoles: "Rollen in Projekten",
  status: "Status",
  lastActive: "Zuletzt aktiv",
  you: "Eigenes Konto",
  actionsFor: "Aktionen für {{name}}",

  roles: { ADMIN: "Administration", DEVELOPER: "Entwicklung", VIEWER: "Nur Lesen" },
  roleMeans: {
    ADMIN:
      "Voller Zugriff, auch auf Personen, Einstellungen, Umgebungen, API-Schlüssel und Integrationen.",
    DEVELOPER:
      "Verwaltet Flags, Strategien, Segmente, Kontexte und Tags. Kann alles andere in einem Projekt ansehen.",
    VIEWER: "Kann Flags und ihre Einstellungen ansehen. Kann nichts ändern.",
  },
  statuses: { ACTIVE: "Aktiv", INVITED: "Eingeladen", DISABLED: "Gesperrt" },

  inviteTitle: "Person einladen",
  inviteText: "Per E-Mail kommt ein Link, um ein Passwort zu wählen. Er gilt 7 Tage.",
  email: "E-Mail",
  emailWrong: "Bitte eine gültige E-Mail-Adresse eingeben",
  known: "Diese E-Mail-Adresse hat schon ein Konto.",
  quota: "Die Höchstzahl an Personen ist erreicht. Zuerst eine Person löschen.",
  nameHint: "Lässt sich später ändern.",
  sendInvitation: "Einladung senden",
  invited: "Einladung an {{email}} gesendet",
  unsentTitle: "Die E-Mail an {{email}} konnte nicht gesendet werden",
  unsentText:
    "Die Einladung ist gespeichert. Später noch einmal senden. Schlägt das auch fehl, bitte die Mail-Einstellungen des Dienstes prüfen.",
  inviteAgain: "Einladung erneut senden",
  accepted: "{{name}} hat die Einladung schon angenommen",

  edit: "Bearbeiten",
  editTitle: "{{name}} bearbeiten",
  editOwn: "Das ist das eigene Konto. Eine Änderung von Rolle oder Zugang meldet es ab.",
  endsSessions: "Eine Änderung von Rolle oder Zugang meldet diese Person überall ab.",
  maySignIn: "Kann sich anmelden",
  maySignInHint: "Ist das aus, bleibt das Konto bestehen, kann sich aber nicht anmelden.",
  lastAdmin:
    "Das ist das letzte Konto mit der Rolle Administration. Zuerst einer anderen Person diese Rolle geben.",
  breakGlass: "Notfallpasswort",
  breakGlassHint:
    "Kann sich mit Passwort anmelden, auch wenn Single Sign-on vorgeschrieben ist. Braucht ein Passwort und einen zweiten Faktor.",
  lastBreakGlass:
    "Das ist das letzte Konto der Administration, oder das letzte mit Notfallpasswort, während Single Sign-on vorgeschrieben ist. Zuerst einem anderen Konto der Administration ein Notfallpasswort, ein Passwort und einen zweiten Faktor geben.",
  saved: "{{name}} gespeichert",

  access: "Tokens und Agenten",
  accessTitle: "Tokens und Agenten von {{name}}",
  accessText: "Damit rufen Programme den Dienst im Namen dieser Person auf.",

  resetMfa: "Zwei-Faktor-Authentifizierung zurücksetzen",
  resetMfaTitle: "Zwei-Faktor-Authentifizierung von {{name}} zurücksetzen?",
  resetMfaText:
    "Für Personen, die ihr Telefon und die Wiederherstellungscodes verloren haben. Sie werden überall abgemeldet und melden sich nur mit dem Passwort an, bis sie sie neu einrichten. Vorher die Identität prüfen.",
  mfaReset: "Zwei-Faktor-Authentifizierung von {{name}} zurückgesetzt",
  noMfa: "{{name}} nutzt keine Zwei-Faktor-Authentifizierung",

  delete: "Löschen",
  deleteTitle: "{{name}} löschen?",
  deleteText:
    "{{email}} wird überall abgemeldet und kann sich nicht mehr anmelden. Frühere Aktionen bleiben im Audit-Log.",
  deleteInvited: "Der Link in der Einladung an {{email}} funktioniert dann nicht mehr.",
  deleteOwn: "Das ist das eigene Konto. Es wird abgemeldet und kann sich nicht mehr anmelden.",
  deleted: "{{name}} gelöscht",
};

export const serviceAccounts: Messages["serviceAccounts"] = {
  about:
    "Programme wie Deployment-Pipelines rufen die Management-API als Dienstkonto auf. Es bleibt bestehen, wenn die Person geht, die es angelegt hat.",
  new: "Neues Dienstkonto",
  create: "Dienstkonto anlegen",
  none: "Noch keine Dienstkonten",
  noneText: "Ein Dienstkonto für ein Programm anlegen, das Flags ändert, danach ein Token dafür.",
  search: "Dienstkonten suchen",
  back: "Dienstkonten",
  nameHint: "Das Programm, etwa „Deployment“.",
  role: "Rolle",
  project: "Projekt",
  projectHint: "Das Konto sieht nur dieses Projekt. Das lässt sich später nicht ändern.",
  allProjectsHint: "Mit „Alle Projekte“ gilt die Rolle in jedem Projekt.",
  allProjects: "Alle Projekte",
  created: "Angelegt",
  editOne: "{{name}} bearbeiten",
  saved: "{{name}} gespeichert",
  roleNow: "Eine neue Rolle gilt sofort auch für vorhandene Token.",
  quota: "Die Höchstzahl an Dienstkonten ist erreicht. Zuerst eines löschen.",
  deleteOne: "{{name}} löschen",
  deleteAsk: "„{{name}}“ löschen?",
  deleteText:
    "Alle Token des Kontos werden widerrufen, Anfragen damit mit 401 abgelehnt. Frühere Aktionen bleiben im Audit-Log. Das lässt sich nicht rückgängig machen.",
  delete: "Dienstkonto löschen",
  deleted: "{{name}} gelöscht",
};
