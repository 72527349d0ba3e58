import type { Messages } from "../en/index.ts";

export const schedule: Messages["schedule"] = {
  about:
    "Was der Dienst zu einer Zeit ändert: geplante Änderungsanträge und die nächsten Stufen von Stufenplänen.",
  none: "Nichts geplant",
  noneText:
    "Beim Bearbeiten eines Flags lässt sich eine Änderung planen, oder ein Anteil in Stufen mit einem Stufenplan erhöhen.",
  nextStep: "Nächste Stufe des Stufenplans von {{flag}}",
  blocked: "Nicht angewendet: {{reason}}",
  time: "{{at}} ({{offset}}), {{distance}}",
  open: "Planen",
  title: "Änderung in {{environment}} planen",
  text: "Der Dienst wendet die Änderung zu dieser Zeit als Änderungsantrag an. Bis dahin lässt sie sich prüfen, ändern und schließen.",
  changeTitle: "Wann soll er angewendet werden?",
  changeText: "Eine andere Zeit braucht neue Genehmigungen.",
  remove: "Planung entfernen",
  removed: "Planung entfernt",
  submit: "Änderung planen",
  done: "Änderung geplant",
  changed: "Planung geändert",
  applyAt: "Anwenden um",
  zone: "In der Zeitzone {{zone}}",
  zoneAt: "In der Zeitzone {{zone}}, an diesem Tag {{offset}}",
  missingHour: "Diese Uhrzeit gibt es an diesem Tag nicht. Bitte eine andere wählen.",
  past: "Diese Zeit ist vorbei. Bitte eine spätere wählen.",
  after: "Nach einem anderen Änderungsantrag",
  afterHint: "Die Änderung baut auf ihm auf und wird nach ihm angewendet.",
  earlier: "{{title}} ({{at}})",
  dependsOn: "Wird nach dem Änderungsantrag {{id}} angewendet und baut auf ihm auf",
  planned: "Der Dienst wendet ihn an: <time/>.",
};
