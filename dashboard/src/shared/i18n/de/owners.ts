import type { Messages } from "../en/index.ts";

export const owners: Messages["owners"] = {
  label: "Verantwortliche",
  hint: "Wen man zu diesem Flag fragen kann.",
  of_one: "Verantwortlich: {{names}}",
  of_other: "Verantwortlich: {{names}}",
};
