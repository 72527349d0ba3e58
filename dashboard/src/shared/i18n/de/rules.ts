import type { Messages } from "../en/index.ts";

export const rules: Messages["rules"] = {
  order: "Regeln werden von oben nach unten ausgewertet. Die erste passende gilt.",
  nth: "Regel {{number}}",
  named: "{{rule}}: {{name}}",
  last: "Letzte Regel",
  everyoneElse: "Alle anderen",
  add: "Regel hinzufügen",
  full: "Höchstens {{count}} Regeln.",
  remove: "Entfernen",
  moveUp: "Nach oben",
  moveDown: "Nach unten",
  moved: "{{name}} ist jetzt Regel {{place}} von {{count}}.",
  unreachable: "Wird nie erreicht: Eine frühere Regel gilt für alle.",
  advanced: "Erweitert",

  split: "Nach Prozent aufteilen",
  weights: "Aufteilung",
  weightOf: "Anteil von {{variant}}",
  weightsHint: "Beim Ändern eines Anteils passen sich die Varianten darunter an.",
  even: "Gleich aufteilen",
  border: "Grenze zwischen {{left}} und {{right}}",
  borderValue: "{{left}} {{leftShare}}, {{right}} {{rightShare}}",
  flagKey: "Schlüssel des Flags",
  asRollOut: "Wie beim Anteil",

  moves: {
    none: "Niemand bekommt einen anderen Wert.",
    exact: "{{share}} bekommen einen anderen Wert.",
    atMost: "Höchstens {{share}} bekommen einen anderen Wert.",
    exactOf: "{{who}} bekommen einen anderen Wert.",
    atMostOf: "Höchstens {{who}} bekommen einen anderen Wert.",
    some: "{{who}} können einen anderen Wert bekommen.",
    any: "Alle können einen anderen Wert bekommen.",
  },
};
