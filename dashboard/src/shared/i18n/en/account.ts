/** The own profile. */
export const account = {
  intro: "Who you are here, and how you sign in.",
  person: "About you",
  personText: "How others see you: beside changes that you make, and in the audit.",
  languageText: "For this account, on every device.",
  languageOfPages: "Language of the pages",

  password: "Password",
  passwordText: "A new password ends your other sessions.",
  currentPassword: "Current password",
  passwordLength: "{{min}} to {{max}} characters.",
  currentWrong: "This is not your current password",
  passwordChanged: "Your password has been changed. Your other sessions have ended.",

  mfa: "Second factor",
  mfaText:
    "When you sign in, an app on your phone shows a code that you enter after your password. A stolen password alone opens nothing then.",
  mfaOff: "Your password is all that is asked for.",
  mfaDue:
    "Every account needs a second factor. Without one, you lose access to everything but this page on {{date}}, {{when}}.",
  mfaOverdue: "Your access has been closed since {{date}}. Set up a second factor to go on.",
  mfaSetUp: "Set up a second factor",
  mfaInstall: "Open an authenticator app on your phone; any of them will do.",
  mfaScan: "Have it scan this code:",
  mfaQr: "QR code for your authenticator app",
  mfaType:
    "Cannot scan it? Type this key into the app. On your phone itself, <app>open the app</app>.",
  mfaCopySecret: "Copy the key",
  mfaConfirm: "Enter the code that the app shows now.",
  mfaTurnOn: "Turn it on",
  mfaTurnedOn: "The second factor is on.",
  mfaTurnOff: "Turn it off",
  mfaTurnOffText:
    "Your password alone will open your account again. Where a second factor is required, you may lose access at once.",
  mfaTurnedOff: "The second factor is off.",
  codeHint: "Of the authenticator app, or a recovery code.",
  codeWrong: "This code is wrong, or was used before",

  codes: "Recovery codes",
  codesLeft_zero: "No recovery code is left: get new ones, or a lost phone locks you out.",
  codesLeft_one: "{{count}} recovery code is left: get new ones soon.",
  codesLeft_other: "{{count}} recovery codes are left, for when you do not have your phone.",
  codesRenew: "New recovery codes",
  codesRenewText: "You get ten new codes. The old ones do not work any more.",
  codesText:
    "Without your phone, each of these codes lets you in once. Keep them in a safe place: they are not shown again.",
  codesCopy: "Copy the recovery codes",
  codesDownload: "Download",
  codesKept: "I have kept them",

  sessions: "Sessions",
  sessionsText:
    "Where you are signed in. End those that you do not know, and change your password.",
  unknownProgram: "Unknown program",
  device: "{{program}} on {{system}}",
  thisDevice: "This device",
  since: "since {{date}}",
  lastActive: "last renewed",
  end: "Sign out",
  endOf: "Sign out {{device}}",
  endTitle: "Sign out {{device}}?",
  endText: "There, the password has to be entered again, within 15 minutes at the latest.",
  endOthers: "Sign out everywhere else",
  endOthersTitle: "Sign out everywhere but here?",
  ended_one: "The session has ended.",
  ended_other: "{{count}} sessions have ended.",
  showAll: "Show all {{count}}",
} as const;
