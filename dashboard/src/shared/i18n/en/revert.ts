/** The texts of reverting a change from the history. */
export const revert = {
  open: "Revert…",
  openOf: "Revert: {{what}}",
  title: "Revert “{{what}}”?",
  strategy:
    "Restores the targeting in {{environment}} as it was before this change ({{at}}). Later changes to it are undone, too.",
  flag: "Restores name, description, tags, variants and prerequisites as they were before this change ({{at}}). Later changes to them are undone, too.",
  archived: "Undoes this change ({{at}}). Targeting and settings stay as they are.",
  segment:
    "Restores the segment as it was before this change ({{at}}). Later changes are undone, too.",
  flagAgain:
    "Creates the flag again: with a new ID, archived, and off in every environment. Its targeting is not restored.",
  segmentAgain: "Creates the segment again, with a new ID.",
  difference: "Difference between now and then",
  same: "Nothing to revert: it is already as it was before this change.",
  changed: "Someone else changed this meanwhile. The difference below is new: check it again.",
  submit: "Revert",
  submitIn: "Revert in {{environment}}",
  done: "Change reverted",
  show: "Show in audit log",
  isRevert: "Reverts an earlier change",
  reverts: "Reverts event",
} as const;
