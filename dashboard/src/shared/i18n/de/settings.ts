import type { Messages } from "../en/index.ts";

export const settings: Messages["settings"] = {
  intro: "Gelten für alle Personen und Projekte.",
  mfa: "Zwei-Faktor-Authentifizierung",
  mfaText:
    "Schützt Konten bei gestohlenem Passwort: Zum Anmelden wird zusätzlich ein Code aus einer App auf dem Telefon verlangt.",
  requireMfa: "Zwei-Faktor-Authentifizierung vorschreiben",
  requireMfaHint:
    "Wer sie nicht hat, bekommt 48 Stunden zum Einrichten. Danach ist bis dahin nur das eigene Profil offen.",
  until: "Wer keine Zwei-Faktor-Authentifizierung hat, hat Zeit bis {{date}} ({{when}}).",
  over: "Die 48 Stunden endeten am {{date}}: Ohne Zwei-Faktor-Authentifizierung ist nur das eigene Profil offen.",
  ownMissing: "Im eigenen Konto fehlt sie noch. <profile>Zuerst dort einrichten</profile>.",
  turnOnTitle: "Zwei-Faktor-Authentifizierung für alle vorschreiben?",
  turnOnText:
    "Wer sie nicht hat, bekommt 48 Stunden zum Einrichten. Danach ist bis dahin keine Arbeit hier möglich. Für alle anderen ändert sich nichts.",
  turnOn: "Vorschreiben",
  turnOff: "Nach dem Speichern reicht zum Anmelden das Passwort.",

  sessions: "Sitzungen",
  sessionsText: "Wer das Dashboard länger nicht benutzt, muss sich neu anmelden.",
  timeout: "Leerlaufzeit (Stunden)",
  timeoutHint: "1 bis 720 Stunden (30 Tage).",
  timeoutWrong: "Bitte eine ganze Zahl von 1 bis 720 eingeben.",
  makes: "= {{duration}}",
  shorter: "Sitzungen, die schon länger nicht benutzt wurden, enden mit dem Speichern.",

  changed: "Zuletzt geändert",
  loadAgain: "Neu laden",
};
