/** The texts of sign-in, password reset and invitations. */
export const session = {
  signInTitle: "Sign in",
  signInCaption: "Sign in to your account",
  email: "E-mail",
  password: "Password",
  showPassword: "Show password",
  signIn: "Sign in",
  forgot: "Forgot your password?",
  back: "Back to sign-in",
  language: "Language",

  signOn: "Single sign-on",
  emergency: "Use an emergency password",
  continueWith: "Continue with {{provider}}",
  continueHint: "Signing in with a provider reloads the page. Unsaved input is lost.",
  problems: {
    denied: "The sign-in was cancelled at the provider.",
    expired: "The sign-in took too long or was interrupted. Start again.",
    "not-invited": "This account has no invitation. Ask an administrator to invite you.",
    "not-verified":
      "The provider has not verified your e-mail address. Verify it there, then try again.",
    domain: "The domain of your e-mail address is not allowed. Use your work account.",
    disabled: "Your user is disabled. Ask an administrator.",
    "link-first": "Sign in with your password first. Then link this account on your profile page.",
    conflict:
      "You have already linked a different account of this provider, or this account belongs to another user.",
    "no-role": "Your account is in no group that has access. Ask an administrator.",
    quota: "The maximum number of users is reached. Ask an administrator.",
    unreachable:
      "The provider does not respond. Try again in a few minutes, or sign in another way.",
    misconfigured:
      "This sign-in is not set up correctly. Ask an administrator to test the provider in the settings.",
    provider:
      "The sign-in at the provider failed. Try again. If it fails again, ask an administrator.",
  },

  signInWithPasskey: "Sign in with a passkey",
  usePasskey: "Use a passkey",
  passkeyHint: "Confirm the sign-in with your passkey.",
  passkeyCancelled: "No passkey was used. Try again, or sign in another way.",
  passkeyRefused: "This passkey does not work here any more. Sign in another way.",
  passkeyUnavailable: "This browser cannot use passkeys on this page.",

  codeCaption: "Two-factor authentication",
  code: "Code",
  codeHint: "The 6-digit code from your authenticator app.",
  recoveryCode: "Recovery code",
  recoveryCodeHint: "One of the recovery codes that you saved.",
  codeWrong: "This code is invalid or was already used.",
  useRecoveryCode: "Use a recovery code",
  useApp: "Use the authenticator app",
  tooLong: "This took too long. Sign in again.",

  resetCaption: "Reset your password",
  resetHint: "We send you a link to choose a new password.",
  sendLink: "Send link",
  sentTitle: "Check your inbox",
  sent: "If {{email}} has an account, we have sent a link to it. The link works once, within an hour.",
  newPasswordCaption: "Choose a new password",
  newPassword: "New password",
  changePassword: "Change password",
  passwordChanged: "Password changed. Sign in with the new one.",
  passwordRules:
    "{{min}} to {{max}} characters. It must not be your e-mail address or the part before its @.",
  passwordTooShort: "Enter at least {{min}} characters.",
  passwordNotAllowed: "This password is not allowed. See the rules above.",
  invalidLink: "This link does not work",
  invalidResetLink:
    "It was already used, is older than an hour, or is incomplete. Request a new one:",

  inviteTitle: "Invitation",
  inviteCaption: "You are invited. Choose a password to join.",
  invitedBy: "{{inviter}} invites you to join.",
  role: "Role:",
  roles: { ADMIN: "Administrator", DEVELOPER: "Developer", VIEWER: "Viewer" },
  yourName: "Your name",
  yourNameHint: "Others see it.",
  join: "Join",
  invalidInviteLink:
    "It was already used, is older than 7 days, or is incomplete. Open it from the mail again, or ask an administrator for a new invitation.",
  toProduct: "Go to {{product}}",

  ended: "Your session has ended",
  endedText: "Sign in again to continue. Your input is kept.",
  endedNotice: "Your session has ended. Sign in again.",
  account: "Account:",
  somebodyElse: "Sign in as someone else",
} as const;
