import type { Messages } from "../en/index.ts";

export const variants: Messages["variants"] = {
  valueType: "Wert",
  typeHints: {
    boolean: "Das Flag ist ein oder aus.",
    string: "Das Flag liefert einen Text, etwa eine Beschriftung oder den Namen eines Layouts.",
    number: "Das Flag liefert eine Zahl, etwa eine Grenze oder eine Wartezeit.",
    json: "Das Flag liefert ein Objekt, eine Liste oder anderes JSON, etwa eine Konfiguration.",
  },
  typeFixed: "Der Typ des Werts lässt sich später nicht ändern.",

  title: "Varianten",
  hint: "Die Werte, die dieses Flag liefern kann. Das Targeting legt für jede Umgebung fest, wer welchen bekommt.",
  createHint: "Die Werte, die das Flag liefern kann. Sie lassen sich später ändern.",
  nth: "Variante {{number}}",
  key: "Schlüssel",
  value: "Wert",
  valueOf: "Wert von {{variant}}",
  emptyText: "Leerer Text",
  add: "Variante hinzufügen",
  remove: "Variante {{number}} entfernen",
  full: "Ein Flag hat höchstens {{count}} Varianten.",
  edit: "Varianten bearbeiten",
  saved: "Varianten gespeichert",
  keyRule: "1 bis 64 Buchstaben, Ziffern und .\u00a0_\u00a0-",
  keyTaken: "Eine andere Variante hat diesen Schlüssel.",
  numberRule: "Bitte eine Zahl mit höchstens 15 Ziffern eingeben, etwa 12.5 (mit Punkt).",
  problemAt: "{{path}}: {{message}}",

  off: "Aus-Variante",
  offHint:
    "SDKs liefern diese Variante, solange das Flag aus ist, und für alle, auf die keine Regel zutrifft.",
  offNone: "Keine: der Standardwert im Code",
  offNoneText: "Wert bei Aus: der Standardwert im Code.",

  schema: "JSON-Schema",
  schemaHint:
    "Jede Variante muss zu diesem Schema passen. Was nicht passt, lässt sich nicht speichern.",
  addSchema: "JSON-Schema hinzufügen",
  removeSchema: "Schema entfernen",
  schemaRule: 'Ein JSON-Schema ist ein Objekt, etwa { "type": "object" }.',

  confirmTitle: "Varianten speichern?",
  confirmText: "SDKs bekommen diese Änderungen in jeder Umgebung innerhalb von 30 Sekunden:",
  changeValue: "{{variant}} bekommt einen anderen Wert",
  changeRemove: "{{variant}} wird entfernt",
  changeOff: "Die Aus-Variante ist {{variant}}",
  changeOffNone: "Keine Aus-Variante mehr",

  conflict:
    "Jemand anders hat die Varianten geändert. Die eigenen Änderungen sind nicht gespeichert.",
  loadSaved: "Gespeicherte Version laden",
};

export const json: Messages["json"] = {
  format: "Formatieren",
  notJson: "Ungültiges JSON.",
  notJsonAt: "Ungültiges JSON: siehe Zeile {{line}}, Spalte {{column}}.",
  notJsonToken: "Ungültiges JSON: „{{token}}“ ist hier nicht erlaubt.",
  notJsonEnd: "Ungültiges JSON: unerwartetes Ende.",
  rounded:
    "{{number}} würde gerundet. Bitte in Anführungszeichen oder mit weniger Ziffern schreiben.",
};
