import type { Messages } from "../en/index.ts";

export const json: Messages["json"] = {
  format: "Formatieren",
  notJson: "Ungültiges JSON.",
  notJsonAt: "Ungültiges JSON: siehe Zeile {{line}}, Spalte {{column}}.",
  notJsonToken: "Ungültiges JSON: „{{token}}“ ist hier nicht erlaubt.",
  notJsonEnd: "Ungültiges JSON: unerwartetes Ende.",
  rounded:
    "{{number}} würde gerundet. Bitte in Anführungszeichen oder mit weniger Ziffern schreiben.",
};
