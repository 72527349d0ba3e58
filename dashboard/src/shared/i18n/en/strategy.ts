/**
 * The texts of strategy fields. `label` is the name of the field on its own, `inSentence` is the
 * name within a sentence about an audit record, and `hint` explains the input of the field.
 */
export const strategy = {
  enabled: { label: "State", inSentence: "state" },
  percentage: {
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
} as const;
