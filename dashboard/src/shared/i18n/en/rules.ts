/** The texts of ordered rules, of what rules serve, and of weighted splits. */
export const rules = {
  order: "Rules are tried from top to bottom. The first one that applies to a user decides.",
  nth: "Rule {{number}}",
  named: "{{rule}}: {{name}}",
  last: "Last rule",
  everyoneElse: "Everyone else",
  add: "Add rule",
  full: "There is room for {{count}} rules.",
  remove: "Remove {{name}}",
  moveUp: "Move {{name}} up",
  moveDown: "Move {{name}} down",
  moved: "{{name}} is now rule {{place}} of {{count}}.",
  unreachable: "Nobody gets here: an earlier rule already applies to everyone.",
  advanced: "Advanced",

  split: "Split by percentage",
  weights: "Split",
  weightOf: "Percentage of {{variant}}",
  weightsHint: "When you change one, the variants below it make up the difference.",
  even: "Split evenly",
  border: "Border between {{left}} and {{right}}",
  borderValue: "{{left}} {{leftShare}}, {{right}} {{rightShare}}",
  flagKey: "Key of the flag",
  asRollOut: "Same as the roll-out",

  moves: {
    none: "No user gets another value.",
    exact: "{{share}} of users will get another value.",
    atMost: "At most {{share}} of users will get another value.",
    any: "Any user may get another value.",
  },
} as const;
