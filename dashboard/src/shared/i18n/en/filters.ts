/** The texts of the filters of a list. */
export const filters = {
  bar: "Search and filters",
  add: "Filter",
  clear: "Clear all",
  remove: "Remove filter: {{filter}}",
  search: "Search: {{filter}}",
  nothing: "Nothing found",
} as const;
