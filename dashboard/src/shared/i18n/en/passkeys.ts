/** The texts for the passkeys on the profile page. */
export const passkeys = {
  title: "Passkeys",
  text: "Sign in with your fingerprint, face or screen lock, or with a security key, instead of a password and a code.",
  none: "You have no passkeys.",
  add: "Add a passkey",
  addText:
    "From then on, your password alone does not sign you in: you also need a passkey or a code. Add a second passkey or set up an authenticator app, so that the loss of a device does not lock you out.",
  nameHint: "So that you recognise it later, such as the device.",
  added: "Passkey added. You can sign in with it.",
  cancelled: "The browser made no passkey. Try again.",
  known: "This device already has a passkey for your account.",
  tooMany: "You have the maximum number of passkeys. Remove one first.",
  wrongAddress:
    "Browsers make no passkeys for this address. Open the dashboard by its domain name.",
  since: "added on {{date}}",
  neverUsed: "never used",
  backedUp: "also on your other devices",
  rename: "Rename passkey",
  renameOne: "Rename {{name}}",
  remove: "Remove passkey",
  removeOne: "Remove {{name}}",
  removeText:
    "{{name}} no longer signs you in. Without a passkey and an authenticator app, your password alone signs you in.",
  removeConfirm: "Remove",
  removed: "{{name}} removed",
} as const;
