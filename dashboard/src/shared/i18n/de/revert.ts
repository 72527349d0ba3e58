import type { Messages } from "../en/index.ts";

export const revert: Messages["revert"] = {
  open: "Zurücksetzen …",
  openOf: "Zurücksetzen: {{what}}",
  title: "„{{what}}“ zurücksetzen?",
  strategy:
    "Stellt das Targeting in {{environment}} so wieder her, wie es vor dieser Änderung war ({{at}}). Auch spätere Änderungen daran werden zurückgenommen.",
  flag: "Stellt Name, Beschreibung, Tags, Varianten und Voraussetzungen so wieder her, wie sie vor dieser Änderung waren ({{at}}). Auch spätere Änderungen daran werden zurückgenommen.",
  archived:
    "Nimmt diese Änderung zurück ({{at}}). Targeting und Einstellungen bleiben, wie sie sind.",
  segment:
    "Stellt das Segment so wieder her, wie es vor dieser Änderung war ({{at}}). Auch spätere Änderungen werden zurückgenommen.",
  flagAgain:
    "Legt das Flag neu an: mit neuer ID, archiviert und in jeder Umgebung aus. Sein Targeting wird nicht wiederhergestellt.",
  segmentAgain: "Legt das Segment neu an, mit neuer ID.",
  difference: "Unterschied zwischen jetzt und damals",
  same: "Nichts zurückzusetzen: Es ist schon so wie vor dieser Änderung.",
  changed:
    "Inzwischen hat jemand anders das geändert. Der Unterschied unten ist neu: Bitte noch einmal prüfen.",
  submit: "Zurücksetzen",
  submitIn: "In {{environment}} zurücksetzen",
  done: "Änderung zurückgesetzt",
  show: "Im Audit-Log zeigen",
  isRevert: "Setzt eine frühere Änderung zurück",
  reverts: "Setzt zurück: Ereignis",
};
