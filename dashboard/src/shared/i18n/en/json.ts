/** The texts of inputs for JSON. */
export const json = {
  format: "Format",
  notJson: "Invalid JSON.",
  notJsonAt: "Invalid JSON: see line {{line}}, column {{column}}.",
  notJsonToken: "Invalid JSON: unexpected “{{token}}”.",
  notJsonEnd: "Invalid JSON: unexpected end.",
  rounded: "{{number}} would be rounded. Write it in quotes, or with fewer digits.",
} as const;
