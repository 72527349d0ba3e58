/** The texts of the profile page, where users change their own account. */
export const account = {
  intro: "Your name and your language.",
  securityIntro: "How you sign in, and where you are signed in.",
  tokensIntro: "What may act for you.",
  person: "Personal details",
  personText: "Your name appears next to your changes and in the audit log.",
  languageText: "Applies to this account on every device.",
  languageOfPages: "Dashboard language",

  password: "Password",
  passwordText:
    "A new password signs you out of your other sessions. Your tokens stay valid: revoke those that you do not know.",
  currentPassword: "Current password",
  passwordLength: "{{min}} to {{max}} characters.",
  currentWrong: "The current password is incorrect",
  confirmText:
    "Confirm at your identity provider that it is you. You come back to this page, and for ten minutes you are not asked again.",
  confirmWith: "Confirm with {{provider}}",
  confirmNowhere:
    "Your identity provider is not available. Ask an administrator, or set a password with “Forgot your password?” on the sign-in page.",
  confirmed: "You have confirmed that it is you. For ten minutes you are not asked again.",
  confirmedUntil: "You have confirmed that it is you. This is valid until {{time}}.",
  confirmAgain: "The confirmation has expired. Close this form and confirm again.",
  passwordChanged: "Password changed. Your other sessions have ended.",

  mfa: "Two-factor authentication",
  mfaText:
    "Protects you if your password is stolen. When you sign in, you also enter a code from an app on your phone.",
  mfaOff: "Off. Signing in takes no code.",
  mfaDue: "Required by {{date}}, {{when}}.",
  mfaOverdue: "Set it up to continue.",
  mfaSetUp: "Set up two-factor authentication",
  mfaPasswordText: "First confirm that it is you.",
  mfaContinue: "Continue",
  mfaInstall: "Open an authenticator app on your phone.",
  mfaScan: "Scan this code:",
  mfaQr: "QR code for your authenticator app",
  mfaType: "Cannot scan it? Enter this key in the app. On your phone, <app>open the app</app>.",
  mfaCopySecret: "Copy key",
  mfaConfirm: "Enter the code shown in the app.",
  mfaTurnOn: "Enable",
  mfaTurnedOn: "Two-factor authentication is enabled.",
  mfaTurnOff: "Disable",
  mfaTurnOffText:
    "Signing in then takes no code. If two-factor authentication is required, you may lose access immediately.",
  mfaTurnedOff: "Two-factor authentication is disabled.",
  codeHint: "From your authenticator app, or a recovery code.",
  codeWrong: "This code is invalid or was already used",

  codes: "Recovery codes",
  codesLeft_zero:
    "No recovery codes left. Generate new ones, or you are locked out if you lose your phone.",
  codesLeft_one: "{{count}} recovery code left. Generate new ones soon.",
  codesLeft_other: "{{count}} recovery codes left. Use them to sign in without your phone.",
  codesRenew: "Generate new recovery codes",
  codesRenewText: "You get ten new codes. The old ones stop working.",
  codesText:
    "Each code lets you sign in once without your phone. Store them safely: they are not shown again.",
  codesCopy: "Copy recovery codes",
  codesDownload: "Download",
  codesKept: "I've saved these codes",

  accounts: "Single sign-on",
  accountsText: "Accounts at identity providers with which you can sign in.",
  noAccounts: "No account is linked.",
  link: "Link {{provider}}",
  linked: "The account is linked. You can sign in with it.",
  linkedSince: "linked on {{date}}",
  lastUsed: "last used",
  unlink: "Unlink",
  unlinkOf: "Unlink {{account}}",
  unlinkTitle: "Unlink {{account}}?",
  unlinkText: "You can no longer sign in with this account. Your other sessions with it end.",
  unlinked: "Account unlinked",
  lastAccount:
    "You cannot sign in without this account. Set a password or link another account first.",

  sessions: "Sessions",
  sessionsText:
    "Devices on which you are signed in. If you do not recognise one, sign it out and change your password.",
  unknownProgram: "Unknown app",
  device: "{{program}} on {{system}}",
  thisDevice: "This device",
  since: "since {{date}}",
  lastActive: "last active",
  end: "Sign out",
  endOf: "Sign out {{device}}",
  endTitle: "Sign out {{device}}?",
  endText: "That device must sign in again within 15 minutes.",
  endOthers: "Sign out all other sessions",
  endOthersTitle: "Sign out all other sessions?",
  ended_one: "Session signed out",
  ended_other: "{{count}} sessions signed out",
  showAll: "Show all {{count}}",
} as const;

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
