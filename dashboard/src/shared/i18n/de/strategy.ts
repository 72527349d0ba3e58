import type { Translated } from "../translated.ts";
import type { strategy as english } from "../en/strategy.ts";

/** The German texts of strategy fields. `en/strategy.ts` explains the keys. */
export const strategy = {
  enabled: { label: "Zustand", inSentence: "Zustand" },
  percentage: { label: "Anteil", inSentence: "Anteil" },
  exactPercentage: {
    label: "Anteil",
    inSentence: "Anteil",
    hint: "Wie viele von denen, die Bedingungen und Segmente durchlassen.",
  },
  stickiness: {
    label: "Fest nach",
    inSentence: "fest nach",
    hint: "Das Feld des Kontexts, nach dem geteilt wird: Gleicher Wert, immer gleiche Antwort; ohne Wert ist es aus.",
  },
  constraints: { label: "Bedingungen", inSentence: "Bedingungen" },
  segmentIds: {
    label: "Segmente",
    inSentence: "Segmente",
    hint: "Wer das Flag bekommt, gehört zu allen.",
  },
  rules: { label: "Regeln", inSentence: "Regeln" },
  serve: { label: "Ergebnis", inSentence: "Ergebnis" },
  hashKey: {
    label: "Hash-Schlüssel",
    inSentence: "Hash-Schlüssel",
    hint: "Entscheidet zusammen mit dem Feld, nach dem geteilt wird, wer zum Anteil gehört. Flags mit demselben Hash-Schlüssel umfassen dieselben Personen.",
  },
  splitKey: {
    label: "Schlüssel der Aufteilung",
    inSentence: "Schlüssel der Aufteilung",
    hint: "Entscheidet zusammen mit dem Feld, nach dem geteilt wird, wer welche Variante bekommt. Flags mit demselben Schlüssel teilen gleich auf.",
  },
  splitStickiness: {
    label: "Aufteilung fest nach",
    inSentence: "Aufteilung fest nach",
    hint: "Das Feld des Kontexts für die Aufteilung: Gleicher Wert, immer gleiche Variante.",
  },
} satisfies Translated<typeof english>;
