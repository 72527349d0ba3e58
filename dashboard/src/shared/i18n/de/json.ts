import type { Translated } from "../translated.ts";
import type { json as english } from "../en/json.ts";

export const json = {
  format: "Formatieren",
  notJson: "Das ist kein gültiges JSON.",
  notJsonAt: "Das ist kein gültiges JSON: siehe Zeile {{line}}, Spalte {{column}}.",
  notJsonToken: "Das ist kein gültiges JSON: „{{token}}“ gehört da nicht hin.",
  notJsonEnd: "Das ist kein gültiges JSON: Es endet zu früh.",
} satisfies Translated<typeof english>;
