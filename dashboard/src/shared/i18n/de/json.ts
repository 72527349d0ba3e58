import type { Translated } from "../translated.ts";
import type { json as english } from "../en/json.ts";

export const json = {
  format: "Formatieren",
  notJson: "Ungültiges JSON.",
  notJsonAt: "Ungültiges JSON: siehe Zeile {{line}}, Spalte {{column}}.",
  notJsonToken: "Ungültiges JSON: „{{token}}“ ist hier nicht erlaubt.",
  notJsonEnd: "Ungültiges JSON: unerwartetes Ende.",
} satisfies Translated<typeof english>;
