/** The texts of the filters of a list. */
export const filters = {
  bar: "Search and filters",
  add: "Filter",
  clear: "Clear all",
  remove: "Remove filter: {{filter}}",
  search: "Search: {{filter}}",
  nothing: "Nothing found",
  use: "Use",
  uses: { used: "Used by flags", unused: "Not used by flags" },
} as const;
