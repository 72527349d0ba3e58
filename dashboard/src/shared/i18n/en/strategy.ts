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
    hint: "Percentage of matching users who get this flag.",
  },
  stickiness: {
    label: "Sticky by",
    inSentence: "sticky by",
    hint: "Users with the same value always get the same result; users without one get “off”.",
  },
  constraints: { label: "Constraints", inSentence: "constraints" },
  segmentIds: {
    label: "Segments",
    inSentence: "segments",
    hint: "Users must be in every segment.",
  },
  rules: { label: "Rules", inSentence: "rules" },
  serve: { label: "Serves", inSentence: "what is served" },
  hashKey: {
    label: "Hash key",
    inSentence: "hash key",
    hint: "With the sticky field, determines which users are in the roll-out. Flags with the same hash key include the same users.",
  },
  splitKey: {
    label: "Split key",
    inSentence: "split key",
    hint: "With the sticky field, determines which variant a user gets. Flags with the same split key split users in the same way.",
  },
  splitStickiness: {
    label: "Split sticky by",
    inSentence: "split sticky by",
    hint: "Users with the same value always get the same variant.",
  },
} as const;
