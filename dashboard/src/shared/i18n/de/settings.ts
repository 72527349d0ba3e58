import type { Translated } from "../translated.ts";
import type { settings as english } from "../en/settings.ts";

export const settings = {
  intro: "Sie gelten für alle, in jedem Projekt.",
  mfa: "Zweiter Faktor",
  mfaText:
    "Ein Code aus einer App auf dem Telefon, der nach dem Passwort verlangt wird. So öffnet ein gestohlenes Passwort kein Konto.",
  requireMfa: "Jedes Konto braucht einen zweiten Faktor",
  requireMfaHint:
    "Wer keinen hat, bekommt 48 Stunden zum Einrichten. Danach ist nur noch das eigene Profil offen, bis es so weit ist.",
  until: "Ohne zweiten Faktor bleibt Zeit bis {{date}} ({{when}}).",
  over: "Die 48 Stunden sind seit {{date}} vorbei: Ohne zweiten Faktor ist nur das eigene Profil offen.",
  ownMissing: "Im eigenen Konto fehlt er noch. <profile>Zuerst dort einrichten</profile>.",
  turnOnTitle: "Von allen einen zweiten Faktor verlangen?",
  turnOnText:
    "Wer noch keinen hat, bekommt ab jetzt 48 Stunden. Danach geht hier nichts mehr, bis er eingerichtet ist. Wer schon einen hat, merkt nichts davon.",
  turnOn: "Verlangen",
  turnOff: "Nach dem Speichern reicht sofort wieder das Passwort allein.",

  sessions: "Sitzungen",
  sessionsText:
    "Wer das Dashboard so lange nicht benutzt, meldet sich neu an. Kürzer ist sicherer, länger ist bequemer.",
  timeout: "Abmelden nach so vielen Stunden ohne Nutzung",
  timeoutHint: "1 bis 720 Stunden (30 Tage).",
  timeoutWrong: "Eine ganze Zahl von 1 bis 720.",
  makes: "Das macht {{duration}}.",
  shorter: "Sitzungen, die länger nicht benutzt wurden, enden mit dem Speichern.",

  changed: "Zuletzt geändert",
  loadAgain: "Neu laden",
} satisfies Translated<typeof english>;
