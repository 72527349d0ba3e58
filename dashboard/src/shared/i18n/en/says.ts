/**
 * The sentences about strategies and rules: for whom a flag is on, and what it serves. Each phrase
 * for users is one of four kinds, because languages need different grammar after it: `nobody`,
 * `everyone`, a `share` of everyone, or `those` with conditions. The phrases in `else` follow
 * other rules.
 */
export const says = {
  off: "Off for everyone.",
  offUntilOn: "Off for everyone. Once on, it is for {{who}}.",
  offUntilOnWithRules: "Off for everyone. Once on: {{what}}.",
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
    share: "{{share}} of everyone",
    those: "those {{conditions}}",
    shareOfThose: "{{share}} of those {{conditions}}",
  },
  else: {
    nobody: "nobody else",
    everyone: "everyone else",
    share: "{{share}} of everyone else",
    those: "those others {{conditions}}",
    shareOfThose: "{{share}} of those others {{conditions}}",
  },
  where: "where {{constraints}}",
  inSegments: "who are in {{segments}}",
  and: "and",
  separator: "; ",
  manyRules: "{{count}} rules decide first; {{last}}",
  stickyByDefault:
    "the same user always gets the same answer (by targetingKey, else userId, else sessionId)",
  stickyUser: "the same user always gets the same answer (by {{field}})",
  stickyField: "the same {{field}} always gets the same answer",
} as const;
