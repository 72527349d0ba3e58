/** The texts about the type of a flag's values, and about its variants. */
export const variants = {
  valueType: "Value",
  types: { boolean: "On/off", string: "Text", number: "Number", json: "JSON" },
  typeHints: {
    boolean: "The flag is on or off.",
    string: "The flag serves a text, such as a label or the name of a layout.",
    number: "The flag serves a number, such as a limit or a timeout.",
    json: "The flag serves an object, a list or any other JSON, such as a configuration.",
  },
  typeFixed: "The type of the value cannot be changed later.",

  title: "Variants",
  hint: "The values that this flag can serve. “Who gets it” decides, in each environment, which users get which.",
  createHint: "The values that the flag can serve. You can change them later.",
  nth: "Variant {{number}}",
  key: "Key",
  value: "Value",
  valueOf: "Value of {{variant}}",
  emptyText: "Empty text",
  add: "Add variant",
  remove: "Remove variant {{number}}",
  full: "A flag has at most {{count}} variants.",
  edit: "Edit variants",
  saved: "The variants are saved.",
  keyRule: "1 to 64 letters, digits and .\u00a0_\u00a0-",
  keyTaken: "Another variant has this key.",
  numberRule: "Enter a number, such as 12.5.",
  problemAt: "At {{pointer}}: {{message}}",

  off: "Off variant",
  offHint: "SDKs get this variant while the flag is off, and for users to whom no rule applies.",
  offNone: "None: SDKs use the default value in the code",
  offNoneText:
    "There is no off variant. While the flag is off, SDKs use the default value in the code.",

  schema: "JSON Schema",
  schemaHint: "Every variant must match this schema. Values that do not match cannot be saved.",
  addSchema: "Add a JSON Schema",
  removeSchema: "Remove the schema",
  schemaRule: 'A JSON Schema is an object, such as { "type": "object" }.',

  confirmTitle: "Save the variants?",
  confirmText: "SDKs get these changes in every environment, within 30 seconds:",
  changeValue: "{{variant}} gets another value",
  changeRemove: "{{variant}} is removed",
  changeOff: "The off variant is {{variant}}",
  changeOffNone: "There is no off variant any more",

  conflict: "Somebody else has changed the variants. Your changes are not saved.",
  loadSaved: "Load the saved variants",
} as const;
