import type { Messages } from "../en/index.ts";

export const filters: Messages["filters"] = {
  bar: "Suche und Filter",
  add: "Filter",
  clear: "Alle entfernen",
  remove: "Filter entfernen: {{filter}}",
  search: "Suchen: {{filter}}",
  nothing: "Nichts gefunden",
  use: "Verwendung",
  uses: { used: "Von Flags verwendet", unused: "Von keinem Flag verwendet" },
};
