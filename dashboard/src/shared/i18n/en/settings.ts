/** The texts of the settings page, whose settings apply to the whole service. */
export const settings = {
  intro: "They hold for everybody, in every project.",
  mfa: "Second factor",
  mfaText:
    "A code from an app on the phone, asked for after the password. It keeps a stolen password from opening an account.",
  requireMfa: "Every account needs a second factor",
  requireMfaHint:
    "Whoever has none gets 48 hours to set one up. After that, only their own profile is open to them until they do.",
  until: "Those without a second factor have until {{date}}, {{when}}.",
  over: "The 48 hours were over on {{date}}: without a second factor, only the own profile is open.",
  ownMissing: "You have none yourself yet. <profile>Set yours up</profile> first.",
  turnOnTitle: "Require a second factor of everybody?",
  turnOnText:
    "From now on, everybody without one has 48 hours. After that they cannot work here until they have set one up. Those who have one notice nothing.",
  turnOn: "Require it",
  turnOff: "When you save this, passwords alone open accounts again, at once.",

  sessions: "Sessions",
  sessionsText:
    "Whoever does not use the dashboard for this long signs in again. Shorter is safer, longer is more convenient.",
  timeout: "Sign out after so many hours without use",
  timeoutHint: "1 to 720 hours (30 days).",
  timeoutWrong: "A whole number from 1 to 720.",
  makes: "That makes {{duration}}.",
  shorter: "Sessions that have not been used for longer end as soon as you save.",

  changed: "Last changed",
  loadAgain: "Load again",
} as const;
