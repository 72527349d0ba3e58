import type { Translated } from "../translated.ts";
import type { session as english } from "../en/session.ts";

export const session = {
  signInTitle: "Anmelden",
  signInCaption: "Mit dem eigenen Konto anmelden",
  email: "E-Mail",
  password: "Passwort",
  showPassword: "Passwort anzeigen",
  signIn: "Anmelden",
  forgot: "Passwort vergessen?",
  back: "Zurück zur Anmeldung",
  language: "Sprache",

  codeCaption: "Zweiter Schritt der Anmeldung",
  code: "Code",
  codeHint: "Die 6 Ziffern, die die Authenticator-App zeigt.",
  recoveryCode: "Wiederherstellungscode",
  recoveryCodeHint: "Einer der Codes, die beim Einrichten des zweiten Faktors angezeigt wurden.",
  codeWrong: "Dieser Code ist falsch oder schon verwendet.",
  useRecoveryCode: "Wiederherstellungscode verwenden",
  useApp: "Authenticator-App verwenden",
  tooLong: "Das hat zu lange gedauert. Bitte noch einmal anmelden.",

  resetCaption: "Passwort zurücksetzen",
  resetHint: "Ein Link zum neuen Passwort kommt per Mail.",
  sendLink: "Link zuschicken",
  sentTitle: "Bitte ins Postfach schauen",
  sent: "Falls es ein Konto für {{email}} gibt, ist eine Mail mit einem Link unterwegs. Der Link funktioniert einmal, eine Stunde lang.",
  newPasswordCaption: "Neues Passwort wählen",
  newPassword: "Neues Passwort",
  changePassword: "Passwort ändern",
  passwordChanged: "Das Passwort ist geändert. Jetzt damit anmelden.",
  passwordRules:
    "{{min}} bis {{max}} Zeichen, und weder die eigene E-Mail-Adresse noch der Teil vor dem @.",
  passwordNotAllowed: "Das geht leider nicht: siehe die Regeln darüber.",
  invalidLink: "Dieser Link funktioniert nicht",
  invalidResetLink:
    "Er wurde schon verwendet, ist älter als eine Stunde oder unvollständig. Hier gibt es einen neuen:",

  inviteTitle: "Einladung",
  inviteCaption: "Willkommen! Zum Beitreten fehlt nur noch ein Passwort.",
  yourName: "Eigener Name",
  yourNameHint: "Freiwillig: der Name, den die anderen hier sehen.",
  join: "Beitreten",
  invalidInviteLink:
    "Er wurde schon verwendet, ist älter als 7 Tage oder unvollständig. Bitte noch einmal aus der Mail öffnen oder um eine neue Einladung bitten.",
  toProduct: "Zu {{product}}",

  ended: "Die Sitzung ist zu Ende",
  endedText: "Nach dem Anmelden geht es hier weiter. Nichts Getipptes geht verloren.",
  endedNotice: "Die Sitzung ist zu Ende. Bitte wieder anmelden.",
  endedSubmit:
    "Die Sitzung war zu Ende, bevor das erledigt war. Bitte anmelden und noch einmal versuchen.",
  account: "Konto:",
  somebodyElse: "Als jemand anderes anmelden",
} satisfies Translated<typeof english>;
