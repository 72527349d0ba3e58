/** The texts of the columns of the list of flags that users choose. */
export const columns = {
  title: "Columns",
  environments: "Environments",
  facts: "About the flag",
  rows: "Rows",
  reset: "Default columns",
  names: {
    usage: "Usage",
    lastChange: "Last changed",
    owners: "Owners",
    type: "Type",
    lastUsed: "Last used",
    created: "Created",
    others: "Count of other environments",
    tags: "Tags",
    comfortable: "More space between rows",
  },
  evaluations_one: "{{total}} evaluation in {{environment}} in the last {{days}} days",
  evaluations_other: "{{total}} evaluations in {{environment}} in the last {{days}} days",
} as const;
