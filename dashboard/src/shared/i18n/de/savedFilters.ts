import type { Messages } from "../en/index.ts";

export const savedFilters: Messages["savedFilters"] = {
  title: "Gespeicherte Filter",
  mine: "Eigene",
  shared: "Im Projekt",
  share: "Mit dem Projekt teilen",
  shareHint: "Alle, die das Projekt lesen dürfen, sehen sie.",
  none: "Noch keine gespeicherten Filter",
  save: "Diese Filter speichern …",
  saveTitle: "Diese Filter speichern",
  nothing: "Zuerst einen Filter setzen",
  overwrite: "„{{name}}“ durch diese Filter ersetzen",
  rename: "„{{name}}“ umbenennen …",
  renameTitle: "„{{name}}“ umbenennen",
  delete: "„{{name}}“ löschen",
  replaces: "Unter diesem Namen sind schon Filter gespeichert. Sie werden ersetzt.",
  replace: "Ersetzen",
  nameTaken: "Ein anderer gespeicherter Filter hat diesen Namen",
  saved: "Filter gespeichert: {{name}}",
  deleted: "Gespeicherte Filter gelöscht: {{name}}",
};
