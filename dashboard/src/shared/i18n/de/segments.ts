import type { Messages } from "../en/index.ts";

export const segments: Messages["segments"] = {
  about:
    "Ein Segment ist eine Gruppe von Nutzern für das Targeting vieler Flags. Änderungen gelten für alle Flags, die es nutzen.",
  new: "Neues Segment",
  create: "Segment anlegen",
  none: "Noch keine Segmente",
  noneText:
    "Eine Gruppe einmal festlegen, etwa Kunden in der EU oder das eigene Team. Danach lässt sie sich im Targeting von Flags auswählen.",
  nameHint: "Beschreibt die Gruppe, etwa „Kunden in der EU“.",
  nameTaken: "Ein anderes Segment in diesem Projekt heißt schon so",
  createNext: "Als Nächstes die Mitglieder festlegen.",
  members: "Mitglieder",
  nobody: "Keine Mitglieder: Es hat keine Bedingungen.",
  nobodyYet: "Noch keine Mitglieder. Sie werden durch Bedingungen festgelegt.",
  search: "Segmente suchen",
  back: "Alle Segmente",
  usedBy: "Genutzt von",
  unused: "Noch ungenutzt. Im Targeting eines Flags lässt es sich auswählen.",
  allUses: "Flags anzeigen",
  useMore_one: "und {{count}} weiteres",
  useMore_other: "und {{count}} weitere",
  saveReach_one:
    "Speichern ändert {{count}} Flag, in jeder Umgebung, in der es dieses Segment nutzt.",
  saveReach_other:
    "Speichern ändert {{count}} Flags, in jeder Umgebung, in der sie dieses Segment nutzen.",
  saveReachNone: "Kein Flag nutzt dieses Segment. Speichern betrifft daher kein Flag.",
  saveAsk: "„{{name}}“ ändern?",
  saveConfirm_one: "{{count}} Flag ändern",
  saveConfirm_other: "{{count}} Flags ändern",
  saved: "{{name}} gespeichert",
  discard: "Änderungen verwerfen",
  conflict:
    "Jemand anders hat dieses Segment geändert. Die eigenen Änderungen sind nicht gespeichert und beruhen auf einem alten Stand.",
  loadSaved: "Gespeicherte Version laden",
  delete: "Segment löschen",
  deleteAsk: "„{{name}}“ löschen?",
  deleteText:
    "Kein Flag nutzt es, also ändert sich kein Flag. Das lässt sich nicht rückgängig machen.",
  deleteUsed_one:
    "Ein genutztes Segment lässt sich nicht löschen. Zuerst aus dem Targeting dieses Flags entfernen:",
  deleteUsed_other:
    "Ein genutztes Segment lässt sich nicht löschen. Zuerst aus dem Targeting dieser Flags entfernen:",
  deleted: "{{name}} gelöscht",
};
