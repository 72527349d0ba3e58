import type { Messages } from "../en/index.ts";

export const prerequisites: Messages["prerequisites"] = {
  title: "Voraussetzungen",
  hint: "Dieses Flag ist für eine Person aus, solange nicht alle diese Flags für dieselbe Person und Umgebung das verlangte Ergebnis haben.",
  none: "Keine. Dieses Flag hängt von keinem anderen ab.",
  edit: "Voraussetzungen bearbeiten",
  isOn: "ist ein",
  isOff: "ist aus",
  serves: "liefert {{variants}}",
  isOffServing: "ist aus und liefert {{variants}}",
  requiredBy: "Vorausgesetzt von",
  requiredByHint:
    "Diese Flags sind für eine Person aus, solange dieses Flag nicht das verlangte Ergebnis hat.",
  more_one: "Ein weiteres Flag zeigen",
  more_other: "{{count}} weitere Flags zeigen",

  nth: "Voraussetzung {{number}}",
  flag: "Flag",
  flagPlaceholder: "Name oder Schlüssel",
  nothingFound: "Kein Flag gefunden",
  state: "Muss sein",
  variants: "Varianten",
  variantsPlaceholder: "Beliebig",
  add: "Voraussetzung hinzufügen",
  remove: "Voraussetzung {{number}} entfernen",
  full: "Ein Flag hat höchstens {{count}} Voraussetzungen.",
  saved: "Voraussetzungen gespeichert",
  confirmTitle: "Voraussetzungen speichern?",
  confirmText:
    "Innerhalb von 30 Sekunden ist das Flag in jeder Umgebung für alle aus, die eine Voraussetzung nicht erfüllen.",
  conflict:
    "Jemand anders hat die Voraussetzungen geändert. Die eigenen Änderungen sind nicht gespeichert.",
  loadSaved: "Gespeicherte Version laden",
};
