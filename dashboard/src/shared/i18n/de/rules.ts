import type { Translated } from "../translated.ts";
import type { rules as english } from "../en/rules.ts";

export const rules = {
  order: "Regeln gelten von oben nach unten: Es entscheidet die erste, die auf jemanden zutrifft.",
  nth: "Regel {{number}}",
  named: "{{rule}}: {{name}}",
  last: "Letzte Regel",
  everyoneElse: "Alle anderen",
  add: "Regel hinzufügen",
  full: "Es ist Platz für {{count}} Regeln.",
  remove: "{{name}} entfernen",
  moveUp: "{{name}} nach oben",
  moveDown: "{{name}} nach unten",
  moved: "{{name}} ist jetzt Regel {{place}} von {{count}}.",
  unreachable: "Hierher kommt niemand: Eine Regel davor gilt schon für alle.",
  advanced: "Erweitert",

  split: "Nach Prozent aufteilen",
  weights: "Aufteilung",
  weightOf: "Anteil von {{variant}}",
  weightsHint: "Wird ein Wert geändert, gleichen ihn die Varianten darunter aus.",
  even: "Gleich aufteilen",
  border: "Grenze zwischen {{left}} und {{right}}",
  borderValue: "{{left}} {{leftShare}}, {{right}} {{rightShare}}",
  flagKey: "Schlüssel des Flags",
  asRollOut: "Wie beim Anteil",

  moves: {
    none: "Niemand bekommt einen anderen Wert.",
    exact: "{{share}} bekommen einen anderen Wert.",
    atMost: "Höchstens {{share}} bekommen einen anderen Wert.",
    any: "Alle können einen anderen Wert bekommen.",
  },
} satisfies Translated<typeof english>;
