/**
 * The sentences about strategies and rules: for whom a flag is on, and what it serves. Each phrase
 * for users is one of four kinds, because languages need different grammar after it: `nobody`,
 * `everyone`, a `share` of everyone, or `those` with conditions. The phrases in `else` follow
 * other rules.
 */
export const says = {
  off: "Off for everyone.",
  offUntilOn: "Off. When turned on, targets {{who}}.",
  offUntilOnWithRules: "Off. When turned on: {{what}}.",
  nobodyAtZero: "On, but nobody gets it: the roll-out is at {{share}}.",
  nobodyInSegment: "On, but nobody gets it: the segment {{segment}} has no constraints.",
  onFor: "on for {{who}}",
  offFor: "off for {{who}}",
  get: {
    nobody: "{{who}} gets {{what}}",
    everyone: "{{who}} gets {{what}}",
    share: "{{who}} get {{what}}",
    those: "{{who}} get {{what}}",
  },
  part: "{{variant}} ({{share}})",
  who: {
    nobody: "nobody",
    everyone: "everyone",
    share: "{{share}} of users",
    those: "users {{conditions}}",
    shareOfThose: "{{share}} of users {{conditions}}",
  },
  else: {
    nobody: "nobody else",
    everyone: "everyone else",
    share: "{{share}} of all other users",
    those: "other users {{conditions}}",
    shareOfThose: "{{share}} of other users {{conditions}}",
  },
  where: "where {{constraints}}",
  inSegments: "who are in {{segments}}",
  and: "and",
  separator: "; ",
  manyRules: "{{count}} rules decide first; {{last}}",
  stickyUser: "the same user always gets the same result (by {{field}})",
  stickyField: "the same {{field}} always gets the same result",
} as const;
