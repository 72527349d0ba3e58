import type { Messages } from "../en/index.ts";

export const session: Messages["session"] = {
  signInTitle: "Anmelden",
  signInCaption: "Mit dem eigenen Konto anmelden",
  email: "E-Mail",
  password: "Passwort",
  showPassword: "Passwort anzeigen",
  signIn: "Anmelden",
  forgot: "Passwort vergessen?",
  back: "Zurück zur Anmeldung",
  language: "Sprache",

  signOn: "Single Sign-on",
  emergency: "Notfallpasswort verwenden",
  continueWith: "Weiter mit {{provider}}",
  continueHint:
    "Die Anmeldung bei einem Anbieter lädt die Seite neu. Nicht gespeicherte Eingaben gehen verloren.",
  problems: {
    denied: "Die Anmeldung wurde beim Anbieter abgebrochen.",
    expired: "Die Anmeldung hat zu lange gedauert oder wurde unterbrochen. Bitte neu beginnen.",
    "not-invited": "Für dieses Konto gibt es keine Einladung. Die Administration kann einladen.",
    "not-verified":
      "Der Anbieter hat die E-Mail-Adresse nicht bestätigt. Bitte dort bestätigen und neu versuchen.",
    domain:
      "Die Domain der E-Mail-Adresse ist nicht zugelassen. Bitte das Konto der Firma verwenden.",
    disabled: "Das Konto ist gesperrt. Die Administration kann es entsperren.",
    "link-first":
      "Bitte zuerst mit dem Passwort anmelden und dann dieses Konto im Profil verknüpfen.",
    conflict:
      "Es ist schon ein anderes Konto dieses Anbieters verknüpft, oder dieses Konto gehört zu jemand anderem.",
    "no-role":
      "Das Konto ist in keiner Gruppe mit Zugang. Die Administration kann den Zugang einrichten.",
    quota: "Die Höchstzahl der Konten ist erreicht. Bitte an die Administration wenden.",
    unreachable:
      "Der Anbieter antwortet nicht. In ein paar Minuten erneut versuchen oder anders anmelden.",
    misconfigured:
      "Diese Anmeldung ist nicht richtig eingerichtet. Die Verwaltung kann den Anbieter in den Einstellungen testen.",
    provider:
      "Die Anmeldung beim Anbieter ist fehlgeschlagen. Bitte neu versuchen. Sonst hilft die Administration.",
  },

  signInWithPasskey: "Mit Passkey anmelden",
  usePasskey: "Passkey verwenden",
  passkeyHint: "Bitte die Anmeldung mit dem Passkey bestätigen.",
  passkeyCancelled: "Es wurde kein Passkey verwendet. Bitte neu versuchen oder anders anmelden.",
  passkeyRefused: "Dieser Passkey funktioniert hier nicht mehr. Bitte anders anmelden.",
  passkeyUnavailable: "Dieser Browser kann auf dieser Seite keine Passkeys verwenden.",

  codeCaption: "Zwei-Faktor-Authentifizierung",
  code: "Code",
  codeHint: "Der 6-stellige Code aus der Authenticator-App.",
  recoveryCode: "Wiederherstellungscode",
  recoveryCodeHint: "Einer der gespeicherten Wiederherstellungscodes.",
  codeWrong: "Dieser Code ist ungültig oder wurde schon verwendet.",
  useRecoveryCode: "Wiederherstellungscode verwenden",
  useApp: "Authenticator-App verwenden",
  tooLong: "Das hat zu lange gedauert. Bitte neu anmelden.",

  resetCaption: "Passwort zurücksetzen",
  resetHint: "Ein Link zum neuen Passwort kommt per E-Mail.",
  sendLink: "Link senden",
  sentTitle: "Posteingang prüfen",
  sent: "Falls es ein Konto für {{email}} gibt, wurde ein Link dorthin gesendet. Er funktioniert einmal, innerhalb einer Stunde.",
  newPasswordCaption: "Neues Passwort wählen",
  newPassword: "Neues Passwort",
  changePassword: "Passwort ändern",
  passwordChanged: "Passwort geändert. Bitte mit dem neuen anmelden.",
  passwordRules:
    "{{min}} bis {{max}} Zeichen. Es darf weder die eigene E-Mail-Adresse noch der Teil vor dem @ sein.",
  passwordTooShort: "Bitte mindestens {{min}} Zeichen eingeben.",
  passwordNotAllowed: "Dieses Passwort ist nicht erlaubt. Siehe die Regeln darüber.",
  invalidLink: "Dieser Link funktioniert nicht",
  invalidResetLink:
    "Er wurde schon verwendet, ist älter als eine Stunde oder unvollständig. Bitte einen neuen anfordern:",

  inviteTitle: "Einladung",
  inviteCaption: "Bitte ein Passwort wählen, um beizutreten.",
  invitedBy: "Einladung von {{inviter}}.",
  role: "Rolle:",
  roles: { ADMIN: "Administration", DEVELOPER: "Entwicklung", VIEWER: "Nur Lesen" },
  yourName: "Name",
  yourNameHint: "Andere sehen ihn.",
  join: "Beitreten",
  invalidInviteLink:
    "Er wurde schon verwendet, ist älter als 7 Tage oder unvollständig. Bitte noch einmal aus der Mail öffnen oder um eine neue Einladung bitten.",
  toProduct: "Zu {{product}}",

  ended: "Die Sitzung ist beendet",
  endedText: "Nach dem Anmelden geht es hier weiter. Eingaben bleiben erhalten.",
  endedNotice: "Die Sitzung ist beendet. Bitte neu anmelden.",
  account: "Konto:",
  somebodyElse: "Als jemand anderes anmelden",
};
