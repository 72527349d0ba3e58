/** The texts about the owners of flags. */
export const owners = {
  label: "Owners",
  hint: "The people to ask about this flag.",
  of_one: "Owner: {{names}}",
  of_other: "Owners: {{names}}",
} as const;
