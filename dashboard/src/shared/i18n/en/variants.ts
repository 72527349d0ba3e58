/** The texts about the type of a flag's values, and about its variants. */
export const variants = {
  valueType: "Value",
  typeHints: {
    boolean: "The flag is on or off.",
    string: "The flag serves a text, such as a label or the name of a layout.",
    number: "The flag serves a number, such as a limit or a timeout.",
    json: "The flag serves an object, a list or any other JSON, such as a configuration.",
  },
  typeFixed: "The type of the value cannot be changed later.",

  title: "Variants",
  hint: "The values that this flag can serve. Targeting decides which users get which, in each environment.",
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
  saved: "Variants saved",
  keyRule: "1 to 64 letters, digits and .\u00a0_\u00a0-",
  keyTaken: "Another variant has this key.",
  numberRule: "Enter a number, such as 12.5, with at most 15 digits.",
  problemAt: "{{path}}: {{message}}",

  off: "Off variant",
  offHint: "SDKs serve this variant while the flag is off, and to users who match no rule.",
  offNone: "None: the default in your code",
  offNoneText: "Off value: the default in your code.",

  schema: "JSON Schema",
  schemaHint: "Every variant must match this schema. Values that do not match cannot be saved.",
  addSchema: "Add JSON Schema",
  removeSchema: "Remove schema",
  schemaRule: 'A JSON Schema is an object, such as { "type": "object" }.',

  confirmTitle: "Save variants?",
  confirmText: "SDKs get these changes in every environment within 30 seconds:",
  changeValue: "{{variant}} gets another value",
  changeRemove: "{{variant}} is removed",
  changeOff: "The off variant is {{variant}}",
  changeOffNone: "No off variant any more",

  conflict: "Someone else changed the variants. Your changes are not saved.",
  loadSaved: "Load saved version",
} as const;

/** The texts of inputs for JSON. */
export const json = {
  format: "Format",
  notJson: "Invalid JSON.",
  notJsonAt: "Invalid JSON: see line {{line}}, column {{column}}.",
  notJsonToken: "Invalid JSON: unexpected “{{token}}”.",
  notJsonEnd: "Invalid JSON: unexpected end.",
  rounded: "{{number}} would be rounded. Write it in quotes, or with fewer digits.",
} as const;
