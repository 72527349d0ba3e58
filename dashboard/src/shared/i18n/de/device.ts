import type { Messages } from "../en/index.ts";

export const device: Messages["device"] = {
  title: "Auf einem Gerät anmelden",
  intro:
    "Ein Programm auf einem Gerät ohne Browser, etwa in einem Terminal, kann ein Token für das eigene Konto bekommen.",
  code: "Code",
  codeHint:
    "Den Code eingeben, den das Gerät zeigt, zum Beispiel WDJB-MJHT, oder prüfen, ob es diesen zeigt.",
  codeRule: "Die 8 Buchstaben eingeben, die das Gerät zeigt",
  continue: "Weiter",
  unknown: "Dieser Code ist unbekannt, schon benutzt oder abgelaufen. Auf dem Gerät neu beginnen.",
  asks: "{{name}} bittet um ein Token für das eigene Konto",
  from: "Von {{ip}}, <time/>",
  unknownAddress: "unbekannter Adresse",
  warning: "Selbst begonnen?",
  warningText:
    "Nur genehmigen, wenn das eigene Gerät den Code <code>{{code}}</code> zeigt. Wurde der Code oder ein Link zu dieser Seite zugeschickt: ablehnen.",
  passwordHint: "Bestätigt, wer genehmigt.",
  deny: "Ablehnen",
  approve: "Genehmigen",
  approved: "Genehmigt",
  approvedText:
    "Zurück zu {{name}}: Dort geht es in wenigen Sekunden weiter. Das Token ist 90 Tage gültig und lässt sich auf der Profilseite widerrufen.",
  denied: "Abgelehnt",
  deniedText: "{{name}} bekommt kein Token.",
};
