import type { Translated } from "../translated.ts";
import type { strategy as english } from "../en/strategy.ts";

/** The German texts of strategy fields. `en/strategy.ts` explains the keys. */
export const strategy = {
  enabled: { label: "Zustand", inSentence: "Zustand" },
  percentage: {
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
} satisfies Translated<typeof english>;
