import type { Translated } from "../translated.ts";
import type { segments as english } from "../en/segments.ts";

export const segments = {
  about:
    "Ein Segment ist eine Gruppe von Leuten, einmal beschrieben und von vielen Flags genutzt. Was sich hier ändert, ändert sich für sie alle.",
  new: "Neues Segment",
  create: "Segment anlegen",
  none: "Noch keine Segmente",
  noneText:
    "Eine Gruppe einmal beschreiben, etwa die Kundschaft in der EU oder die eigene Belegschaft, und Flags dann gezielt an sie ausspielen.",
  nameHint: "Wen es beschreibt, etwa „Kundschaft in der EU“.",
  nameTaken: "Ein anderes Segment in diesem Projekt heißt schon so",
  createNext: "Im nächsten Schritt geht es darum, wer dazugehört.",
  members: "Wer dazugehört",
  nobody: "Niemand gehört dazu: Es hat keine Bedingungen.",
  nobodyYet: "Noch gehört niemand dazu. Die erste Bedingung legt fest, wer.",
  search: "Segmente suchen",
  back: "Alle Segmente",
  usedBy: "Genutzt von",
  usedByCount_one: "Genutzt von {{count}} Flag",
  usedByCount_other: "Genutzt von {{count}} Flags",
  notUsed: "Noch ungenutzt",
  unused: "Noch nutzt es kein Flag. In den Regeln eines Flags lässt es sich auswählen.",
  allUses: "In der Flag-Liste zeigen",
  useMore_one: "und {{count}} weiteres",
  useMore_other: "und {{count}} weitere",
  saveReach_one:
    "Speichern ändert {{count}} Flag, in jeder Umgebung, in der es dieses Segment nutzt.",
  saveReach_other:
    "Speichern ändert {{count}} Flags, in jeder Umgebung, in der sie dieses Segment nutzen.",
  saveReachNone: "Kein Flag nutzt dieses Segment. Speichern ändert also noch für niemanden etwas.",
  saveAsk: "„{{name}}“ ändern?",
  saveConfirm_one: "{{count}} Flag ändern",
  saveConfirm_other: "{{count}} Flags ändern",
  saved: "„{{name}}“ ist gespeichert.",
  discard: "Änderungen verwerfen",
  conflict:
    "Jemand hat dieses Segment inzwischen geändert. Die eigenen Eingaben sind noch da, können das aber nicht überschreiben.",
  loadSaved: "Eigenes verwerfen und neu laden",
  delete: "Segment löschen",
  deleteAsk: "„{{name}}“ löschen?",
  deleteText:
    "Kein Flag nutzt es, also ändert sich für niemanden etwas. Rückgängig machen lässt sich das nicht.",
  deleteUsed_one:
    "Solange ein Flag es nutzt, lässt es sich nicht löschen. Zuerst aus den Regeln dieses Flags nehmen:",
  deleteUsed_other:
    "Solange Flags es nutzen, lässt es sich nicht löschen. Zuerst aus den Regeln dieser Flags nehmen:",
  deleted: "„{{name}}“ ist gelöscht.",
} satisfies Translated<typeof english>;
