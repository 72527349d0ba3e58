/** The texts of sign-in, password reset and invitations. */
export const session = {
  signInTitle: "Sign in",
  signInCaption: "Sign in to your account",
  email: "E-mail",
  password: "Password",
  showPassword: "Show the password",
  signIn: "Sign in",
  forgot: "Forgot your password?",
  back: "Back to sign-in",
  language: "Language",

  codeCaption: "Confirm that it is you",
  code: "Code",
  codeHint: "The 6 digits that your authenticator app shows.",
  recoveryCode: "Recovery code",
  recoveryCodeHint: "One of the codes that you kept when you set up the second factor.",
  codeWrong: "This code is wrong, or was used before.",
  useRecoveryCode: "Use a recovery code",
  useApp: "Use the authenticator app",
  tooLong: "That took too long. Please sign in again.",

  resetCaption: "Reset your password",
  resetHint: "You get a mail with a link to choose a new password.",
  sendLink: "Send the link",
  sentTitle: "Look into your mailbox",
  sent: "If there is an account for {{email}}, a mail with a link is on its way. The link works once, for an hour.",
  newPasswordCaption: "Choose a new password",
  newPassword: "New password",
  changePassword: "Change the password",
  passwordChanged: "Your password has been changed. Sign in with the new one.",
  passwordRules:
    "{{min}} to {{max}} characters, and neither your e-mail address nor the part before its @.",
  passwordNotAllowed: "This one is not allowed: see the rules above.",
  invalidLink: "This link does not work",
  invalidResetLink:
    "It was used before, is older than an hour, or is incomplete. Ask for a new one:",

  inviteTitle: "Invitation",
  inviteCaption: "You are invited. Choose a password to join.",
  yourName: "Your name",
  yourNameHint: "Optional: how others see you here.",
  join: "Join",
  invalidInviteLink:
    "It was used before, is older than 7 days, or is incomplete. Open it from the mail again, or ask an administrator for a new invitation.",
  toProduct: "Go to {{product}}",

  ended: "Your session has ended",
  endedText: "Sign in again to go on where you were. Nothing that you typed is lost.",
  endedNotice: "Your session has ended. Sign in to go on.",
  endedSubmit: "You were signed out before this was done. Sign in, then try again.",
  account: "Account:",
  somebodyElse: "Sign in as somebody else",
} as const;
