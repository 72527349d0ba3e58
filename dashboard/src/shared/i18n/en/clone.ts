/** The texts of the dialog that clones a flag. */
export const clone = {
  open: "Clone …",
  title: "Clone “{{flag}}”",
  about:
    "The clone gets the description, type, values, tags, owners, prerequisites and the targeting of all environments. A roll-out without its own hash key reaches other users, because the key of the clone is different.",
  nameOfCopy: "{{name}} (copy)",
  keepState: "Keep the on/off state",
  keepStateHint: "Otherwise the clone is off in every environment.",
  isOff: "The flag is off in every environment, and so is the clone.",
  isOn: "The clone will be on in {{environments}}.",
  submit: "Clone flag",
  done: "{{name}} created as a clone",
} as const;
