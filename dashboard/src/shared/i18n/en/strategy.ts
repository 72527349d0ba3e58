/**
 * The texts of strategy fields. `label` is the name of the field on its own, `inSentence` is the
 * name within a sentence about an audit record, and `hint` explains the input of the field.
 */
export const strategy = {
  enabled: { label: "State", inSentence: "state" },
  percentage: { label: "Roll-out", inSentence: "roll-out" },
  exactPercentage: {
    label: "Roll-out",
    inSentence: "roll-out",
    hint: "How many of those that the constraints and segments let through.",
  },
  stickiness: {
    label: "Sticky by",
    inSentence: "sticky by",
    hint: "The field of the context that divides them: who sends the same value always gets the same answer, who sends none gets off.",
  },
  constraints: { label: "Constraints", inSentence: "constraints" },
  segmentIds: {
    label: "Segments",
    inSentence: "segments",
    hint: "Whoever gets the flag is in all of them.",
  },
  rules: { label: "Rules", inSentence: "rules" },
  serve: { label: "Serves", inSentence: "what is served" },
  hashKey: {
    label: "Hash key",
    inSentence: "hash key",
    hint: "Decides, together with the sticky field, who is within the roll-out. Flags with the same hash key include the same users.",
  },
  splitKey: {
    label: "Split key",
    inSentence: "split key",
    hint: "Decides, together with the sticky field, which variant a user gets. Flags with the same split key split users in the same way.",
  },
  splitStickiness: {
    label: "Split sticky by",
    inSentence: "split sticky by",
    hint: "The field of the context that the split uses: who sends the same value always gets the same variant.",
  },
} as const;
