/** The texts of inputs for JSON. */
export const json = {
  format: "Format",
  notJson: "This is not valid JSON.",
  notJsonAt: "This is not valid JSON: look at line {{line}}, column {{column}}.",
  notJsonToken: "This is not valid JSON: “{{token}}” does not belong there.",
  notJsonEnd: "This is not valid JSON: it ends too early.",
} as const;
