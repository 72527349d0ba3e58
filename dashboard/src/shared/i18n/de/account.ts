import type { Translated } from "../translated.ts";
import type { account as english } from "../en/account.ts";

export const account = {
  intro: "Name, Sprache und alles rund ums Anmelden.",
  person: "Person",
  personText: "Das sehen die anderen: neben Änderungen und im Protokoll.",
  languageText: "Für dieses Konto, auf jedem Gerät.",
  languageOfPages: "Sprache der Seiten",

  password: "Passwort",
  passwordText: "Ein neues Passwort beendet die anderen Sitzungen.",
  currentPassword: "Bisheriges Passwort",
  passwordLength: "{{min}} bis {{max}} Zeichen.",
  currentWrong: "Das ist nicht das bisherige Passwort",
  passwordChanged: "Das Passwort ist geändert. Die anderen Sitzungen sind beendet.",

  mfa: "Zweiter Faktor",
  mfaText:
    "Beim Anmelden zeigt eine App auf dem Telefon einen Code, der nach dem Passwort eingegeben wird. Ein gestohlenes Passwort allein öffnet dann nichts.",
  mfaOff: "Zum Anmelden reicht das Passwort.",
  mfaDue: "Er wird gebraucht bis {{date}} ({{when}}).",
  mfaOverdue: "Ohne ihn geht es hier nicht weiter.",
  accessEnded: "Der Zugang hat am {{date}} geendet, weil jedes Konto einen zweiten Faktor braucht.",
  mfaSetUp: "Zweiten Faktor einrichten",
  mfaPasswordText:
    "Bitte das Passwort eingeben, damit niemand anders einen zweiten Faktor einrichten kann.",
  mfaContinue: "Weiter",
  mfaInstall: "Eine Authenticator-App auf dem Telefon öffnen; jede ist recht.",
  mfaScan: "Damit diesen Code scannen:",
  mfaQr: "QR-Code für die Authenticator-App",
  mfaType:
    "Das Scannen geht nicht? Dann diesen Schlüssel in die App tippen. Auf dem Telefon selbst: <app>App öffnen</app>.",
  mfaCopySecret: "Schlüssel kopieren",
  mfaConfirm: "Den Code eingeben, den die App jetzt zeigt.",
  mfaTurnOn: "Einschalten",
  mfaTurnedOn: "Der zweite Faktor ist eingeschaltet.",
  mfaTurnOff: "Ausschalten",
  mfaTurnOffText:
    "Dann öffnet das Passwort allein wieder das Konto. Wo ein zweiter Faktor verlangt wird, kann der Zugang sofort enden.",
  mfaTurnedOff: "Der zweite Faktor ist ausgeschaltet.",
  codeHint: "Aus der Authenticator-App, oder ein Wiederherstellungscode.",
  codeWrong: "Dieser Code ist falsch oder schon verwendet",

  codes: "Wiederherstellungscodes",
  codesLeft_zero:
    "Kein Wiederherstellungscode mehr übrig: Ohne neue sperrt ein verlorenes Telefon das Konto.",
  codesLeft_one: "Noch {{count}} Wiederherstellungscode: Zeit für neue.",
  codesLeft_other:
    "Noch {{count}} Wiederherstellungscodes, falls das Telefon einmal nicht zur Hand ist.",
  codesRenew: "Neue Wiederherstellungscodes",
  codesRenewText: "Es gibt zehn neue Codes. Die alten funktionieren dann nicht mehr.",
  codesText:
    "Ohne das Telefon öffnet jeder dieser Codes das Konto ein einziges Mal. Bitte sicher aufbewahren: Sie werden nicht noch einmal gezeigt.",
  codesCopy: "Wiederherstellungscodes kopieren",
  codesDownload: "Herunterladen",
  codesKept: "Ich habe sie aufbewahrt",

  sessions: "Sitzungen",
  sessionsText:
    "Wo dieses Konto angemeldet ist. Unbekanntes am besten beenden und das Passwort ändern.",
  unknownProgram: "Unbekanntes Programm",
  device: "{{program}} auf {{system}}",
  thisDevice: "Dieses Gerät",
  since: "seit {{date}}",
  lastActive: "zuletzt erneuert",
  end: "Abmelden",
  endOf: "{{device}} abmelden",
  endTitle: "{{device}} abmelden?",
  endText: "Dort wird das Passwort wieder gebraucht, spätestens in 15 Minuten.",
  endOthers: "Überall sonst abmelden",
  endOthersTitle: "Überall außer hier abmelden?",
  ended_one: "Die Sitzung ist beendet.",
  ended_other: "{{count}} Sitzungen sind beendet.",
  showAll: "Alle {{count}} zeigen",
} satisfies Translated<typeof english>;
