import type { Messages } from "../en/index.ts";

/** The German texts of strategy fields. `en/strategy.ts` explains the keys. */
export const strategy: Messages["strategy"] = {
  enabled: { label: "Zustand", inSentence: "Zustand" },
  percentage: { label: "Anteil", inSentence: "Anteil" },
  exactPercentage: {
    label: "Anteil",
    inSentence: "Anteil",
    hint: "Anteil der passenden Nutzer, die dieses Flag bekommen.",
  },
  stickiness: {
    label: "Fest nach",
    inSentence: "fest nach",
    hint: "Nutzer mit demselben Wert bekommen immer dasselbe Ergebnis; Nutzer ohne Wert bekommen „aus“.",
  },
  constraints: { label: "Bedingungen", inSentence: "Bedingungen" },
  segmentIds: {
    label: "Segmente",
    inSentence: "Segmente",
    hint: "Nutzer müssen in jedem Segment sein.",
  },
  rules: { label: "Regeln", inSentence: "Regeln" },
  serve: { label: "Ergebnis", inSentence: "Ergebnis" },
  hashKey: {
    label: "Hash-Schlüssel",
    inSentence: "Hash-Schlüssel",
    hint: "Bestimmt zusammen mit dem Feld „Fest nach“, welche Nutzer zum Anteil gehören. Flags mit demselben Hash-Schlüssel umfassen dieselben Nutzer.",
  },
  splitKey: {
    label: "Schlüssel der Aufteilung",
    inSentence: "Schlüssel der Aufteilung",
    hint: "Bestimmt zusammen mit dem Feld „Aufteilung fest nach“, welche Variante ein Nutzer bekommt. Flags mit demselben Schlüssel teilen gleich auf.",
  },
  splitStickiness: {
    label: "Aufteilung fest nach",
    inSentence: "Aufteilung fest nach",
    hint: "Nutzer mit demselben Wert bekommen immer dieselbe Variante.",
  },
};
