/** The texts of the filters of the list of flags that users save under a name. */
export const savedFilters = {
  title: "Saved filters",
  none: "No saved filters yet",
  save: "Save these filters …",
  saveTitle: "Save these filters",
  nothing: "Set a filter first",
  overwrite: "Update “{{name}}” with these filters",
  rename: "Rename “{{name}}” …",
  renameTitle: "Rename “{{name}}”",
  delete: "Delete “{{name}}”",
  replaces: "You already have filters with this name. Saving replaces them.",
  replace: "Replace",
  nameTaken: "Another saved filter has this name",
  saved: "Filters saved: {{name}}",
  deleted: "Saved filters deleted: {{name}}",
} as const;
