import type { Translated } from "../translated.ts";
import type { tags as english } from "../en/tags.ts";

export const tags = {
  about:
    "Tags ordnen Flags nach Team, nach Bereich oder danach, wie sie sich am besten wiederfinden lassen.",
  new: "Neuer Tag",
  create: "Tag anlegen",
  none: "Noch keine Tags",
  noneText:
    "Damit lassen sich Flags nach Team, nach Bereich oder nach sonst etwas ordnen. Ein Tag kann auch beim Anlegen eines Flags entstehen.",
  nameTaken: "Ein anderer Tag in diesem Projekt heißt schon so",
  color: "Farbe",
  hex: "Farbe als Hex-Wert",
  hexRule: "Eine Raute und drei oder sechs Hex-Ziffern, etwa #2f9e44.",
  colors: {
    gray: "Grau",
    red: "Rot",
    pink: "Pink",
    grape: "Lila",
    violet: "Violett",
    indigo: "Indigo",
    blue: "Blau",
    cyan: "Cyan",
    teal: "Petrol",
    green: "Grün",
    yellow: "Bernstein",
    orange: "Orange",
  },
  renameHint: "Flags, die ihn schon tragen, zeigen den neuen Namen und dahinter den alten.",
  search: "Tags suchen",
  edit: "Tag bearbeiten",
  editOne: "{{name}} bearbeiten",
  delete: "Tag löschen",
  deleteOne: "{{name}} löschen",
  deleteAsk: "„{{name}}“ löschen?",
  deleteText_one:
    "{{count}} Flag verliert diesen Tag, sonst nichts. Rückgängig machen lässt sich das nicht.",
  deleteText_other:
    "{{count}} Flags verlieren diesen Tag, sonst nichts. Rückgängig machen lässt sich das nicht.",
  deleteUnused: "Kein Flag trägt ihn. Rückgängig machen lässt sich das nicht.",
  deleted: "„{{name}}“ ist gelöscht.",
} satisfies Translated<typeof english>;
