/** The texts of the users page, where administrators manage users. */
export const users = {
  intro: "Everybody who works with flags here, and what they may do.",
  invite: "Invite somebody",
  search: "Search by name or e-mail",
  found_one: "{{count}} person",
  found_other: "{{count}} people",
  nobody: "Nobody has that in their name or address",
  nobodyText: "The search looks at names and e-mail addresses.",
  person: "Person",
  role: "Role",
  status: "Status",
  lastActive: "Last active",
  you: "You",
  actionsFor: "Actions for {{name}}",

  roles: { ADMIN: "Administrator", DEVELOPER: "Developer", VIEWER: "Viewer" },
  roleMeans: {
    ADMIN: "Full access, also to people, settings, environments, API keys and integrations.",
    DEVELOPER:
      "Manages flags, strategies, segments, contexts and tags; sees the rest of every project.",
    VIEWER: "Sees flags and all that belongs to them; changes nothing.",
  },
  statuses: { ACTIVE: "Active", INVITED: "Invited", DISABLED: "Disabled" },

  inviteTitle: "Invite somebody",
  inviteText: "They get a mail with a link to choose a password. It works for 7 days.",
  email: "E-mail",
  emailWrong: "This is no e-mail address",
  known: "Somebody with this address is here already.",
  quota: "There are as many people as this service takes. Delete somebody first.",
  nameHint: "They can change it when they join.",
  sendInvitation: "Send the invitation",
  invited: "An invitation is on its way to {{email}}.",
  unsentTitle: "The mail to {{email}} could not be sent",
  unsentText:
    "The invitation itself is kept. Send it again in a while; if that fails, too, the mail settings of the service need a look.",
  inviteAgain: "Send the invitation again",
  accepted: "{{name}} has accepted the invitation meanwhile.",

  edit: "Edit",
  editTitle: "Edit {{name}}",
  editOwn: "This is you. If you change your own role or access, you are signed out.",
  endsSessions: "Another role, or no access, signs this person out everywhere.",
  maySignIn: "May sign in",
  maySignInHint: "Without it the account stays, but opens nothing. It can be given back.",
  lastAdmin: "This is the last administrator. Make somebody else an administrator first.",
  saved: "{{name}} has been saved.",

  resetMfa: "Reset the second factor",
  resetMfaTitle: "Reset the second factor of {{name}}?",
  resetMfaText:
    "For somebody who has lost their phone and the recovery codes. They are signed out everywhere, and sign in with the password alone until they set up a new one. Be sure that it is really them who asks.",
  mfaReset: "{{name}} signs in with the password alone now.",
  noMfa: "{{name}} has no second factor.",

  delete: "Delete",
  deleteTitle: "Delete {{name}}?",
  deleteText:
    "{{email}} is signed out everywhere and cannot sign in again. What they have done stays in the audit.",
  deleteInvited: "The link in the mail to {{email}} does not work any more then.",
  deleteOwn: "This is your own account: you are signed out, and cannot sign in again.",
  deleted: "{{name}} has been deleted.",
} as const;
