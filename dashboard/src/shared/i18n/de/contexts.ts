import type { Translated } from "../translated.ts";
import type { contexts as english } from "../en/contexts.ts";

export const contexts = {
  about:
    "Ein Kontext ist ein Feld, das die Anwendung mitschickt, wenn sie nach Flags fragt, etwa das Land. Was hier beschrieben ist, steht beim Bauen von Bedingungen zur Auswahl.",
  new: "Neuer Kontext",
  create: "Kontext anlegen",
  none: "Noch keine Kontexte",
  noneText:
    "Hier werden die Felder beschrieben, die die Anwendung mitschickt, wenn sie nach Flags fragt: das Land, der Tarif, die Version der App. Bedingungen entstehen dann durch Auswählen statt Tippen.",
  nameHint: "So nennt es das Team, etwa „Lieferland“.",
  key: "Schlüssel",
  keyHint:
    "Das Feld, wie die Anwendung es schickt, etwa „country“. Er lässt sich später nicht ändern.",
  keyTaken: "Ein anderer Kontext in diesem Projekt hat diesen Schlüssel",
  type: "Art",
  typeHint: "Bestimmt, wie Werte verglichen werden.",
  typeConflict: "Ein bekannter Wert passt nicht zu dieser Art. Er müsste zuerst gelöscht werden",
  search: "Kontexte suchen",
  valueCount_one: "{{count}} Wert",
  valueCount_other: "{{count}} Werte",
  noneKnown: "keine",
  back: "Alle Kontexte",
  edit: "Kontext bearbeiten",
  editOne: "{{name}} bearbeiten",
  saved: "„{{name}}“ ist gespeichert.",
  delete: "Kontext löschen",
  deleteOne: "{{name}} löschen",
  deleteAsk: "„{{name}}“ löschen?",
  deleteText:
    "Seine bekannten Werte verschwinden mit. Bedingungen, die das Feld nutzen, bleiben und gelten weiter. Rückgängig machen lässt sich das nicht.",
  deleted: "„{{name}}“ ist gelöscht.",
  knownValues: "Bekannte Werte",
  knownValuesText:
    "Sie stehen zur Auswahl, wo Bedingungen zu diesem Feld entstehen. Andere lassen sich dort trotzdem eintippen.",
  noValues: "Noch keine bekannten Werte",
  noValuesText:
    "Hierher gehören Werte, die oft vorkommen. Dann muss sich niemand merken, wie sie geschrieben werden.",
  value: "Wert",
  addValue: "Wert hinzufügen",
  addMany: "Viele hinzufügen",
  editValue: "„{{value}}“ bearbeiten",
  editValueOne: "{{value}} bearbeiten",
  deleteValueOne: "{{value}} löschen",
  valueTaken: "Dieser Kontext hat diesen Wert schon",
  valueDeleted: "„{{value}}“ ist gelöscht.",
  searchValues: "Werte suchen",
  lines: "Werte, einer pro Zeile",
  linesHint:
    "Wie aus einer Liste oder Tabelle kopiert: Was nach einem Tabulator kommt, wird die Beschreibung. Schon bekannte Werte bleiben.",
  linesFull: "Platz ist für {{max}} Werte; mit diesen wären es {{count}}.",
  moreErrors_one: "{{count}} weitere Zeile stimmt nicht.",
  moreErrors_other: "{{count}} weitere Zeilen stimmen nicht.",
  added_one: "{{count}} Wert ist hinzugefügt.",
  added_other: "{{count}} Werte sind hinzugefügt.",
  willAdd_one: "{{count}} Wert hinzufügen",
  willAdd_other: "{{count}} Werte hinzufügen",
} satisfies Translated<typeof english>;
