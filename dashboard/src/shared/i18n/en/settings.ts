/** The texts of the settings page, whose settings apply to the whole service. */
export const settings = {
  intro: "Apply to all users and projects.",
  mfa: "Two-factor authentication",
  mfaText:
    "Protects accounts if a password is stolen: users also enter a code from an app on their phone.",
  requireMfa: "Require two-factor authentication",
  requireMfaHint:
    "Users without it have 48 hours to set it up. After that, they can open only their profile until they do.",
  until: "Users without two-factor authentication have until {{date}}, {{when}}.",
  over: "The 48 hours ended on {{date}}: users without two-factor authentication can open only their profile.",
  ownMissing: "Your own account does not have it yet. <profile>Set it up</profile> first.",
  turnOnTitle: "Require two-factor authentication for everyone?",
  turnOnText:
    "Users without it have 48 hours to set it up. After that, they cannot work here until they do. Nothing changes for other users.",
  turnOn: "Require",
  turnOff: "After you save this, a password alone is enough to sign in.",

  sessions: "Sessions",
  sessionsText: "Users who are idle for longer must sign in again.",
  timeout: "Idle timeout (hours)",
  timeoutHint: "1 to 720 hours (30 days).",
  timeoutWrong: "Enter a whole number from 1 to 720.",
  makes: "= {{duration}}",
  shorter: "Sessions that have been idle for longer end when you save.",

  changed: "Last changed",
  loadAgain: "Reload",
} as const;
