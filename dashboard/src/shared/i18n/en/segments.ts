export const segments = {
  about:
    "A segment is a group of users that many flags can target. Changes apply to all flags that use it.",
  new: "New segment",
  create: "Create segment",
  none: "No segments yet",
  noneText:
    "Define a group once, such as customers in the EU or your own staff. Then select it in the targeting of flags.",
  nameHint: "Describes the group, such as “Customers in the EU”.",
  nameTaken: "Another segment of this project has this name",
  createNext: "Next, define its members.",
  members: "Members",
  nobody: "No members: it has no constraints.",
  nobodyYet: "No members yet. Add a constraint to define them.",
  search: "Search segments",
  back: "All segments",
  usedBy: "Used by",
  unused: "Not used yet. Select it in the targeting of a flag.",
  allUses: "View flags",
  useMore_one: "and {{count}} more",
  useMore_other: "and {{count}} more",
  saveReach_one: "Saving changes {{count}} flag, in every environment where it uses this segment.",
  saveReach_other:
    "Saving changes {{count}} flags, in every environment where they use this segment.",
  saveReachNone: "No flag uses this segment, so saving affects no flag.",
  saveAsk: "Change “{{name}}”?",
  saveConfirm_one: "Change {{count}} flag",
  saveConfirm_other: "Change {{count}} flags",
  saved: "{{name}} saved",
  discard: "Discard changes",
  conflict:
    "Someone else changed this segment. Your changes are not saved and are based on an old version.",
  loadSaved: "Load saved version",
  delete: "Delete segment",
  deleteAsk: "Delete “{{name}}”?",
  deleteText: "No flag uses it, so no flag changes. This cannot be undone.",
  deleteUsed_one:
    "A segment that is in use cannot be deleted. Remove it from the targeting of this flag first:",
  deleteUsed_other:
    "A segment that is in use cannot be deleted. Remove it from the targeting of these flags first:",
  deleted: "{{name}} deleted",
} as const;
