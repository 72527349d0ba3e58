/** The texts of ordered rules, of what rules serve, and of weighted splits. */
export const rules = {
  order: "Rules are evaluated from top to bottom. The first match applies.",
  nth: "Rule {{number}}",
  named: "{{rule}}: {{name}}",
  last: "Last rule",
  everyoneElse: "Everyone else",
  add: "Add rule",
  full: "At most {{count}} rules.",
  remove: "Remove",
  moveUp: "Move up",
  moveDown: "Move down",
  moved: "{{name}} is now rule {{place}} of {{count}}.",
  unreachable: "Never reached: an earlier rule matches everyone.",
  advanced: "Advanced",

  split: "Split by percentage",
  weights: "Split",
  weightOf: "Percentage of {{variant}}",
  weightsHint: "When you change a percentage, the variants below adjust.",
  even: "Split evenly",
  border: "Border between {{left}} and {{right}}",
  borderValue: "{{left}} {{leftShare}}, {{right}} {{rightShare}}",
  flagKey: "Flag key",
  asRollOut: "Same as the roll-out",

  moves: {
    none: "No users get a different value.",
    exact: "{{share}} of users get a different value.",
    atMost: "At most {{share}} of users get a different value.",
    any: "Any user may get a different value.",
  },
} as const;
