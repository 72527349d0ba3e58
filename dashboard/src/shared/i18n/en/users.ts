/** The texts of the users page, where administrators manage users. */
export const users = {
  intro: "People with access, and their roles.",
  invite: "Invite user",
  search: "Search by name or e-mail",
  found_one: "{{count}} user",
  found_other: "{{count}} users",
  nobody: "No users found",
  nobodyText: "Search for a name or an e-mail address.",
  person: "User",
  role: "Role",
  projectRoles: "Roles in projects",
  status: "Status",
  lastActive: "Last active",
  you: "You",
  actionsFor: "Actions for {{name}}",

  roles: { ADMIN: "Administrator", DEVELOPER: "Developer", VIEWER: "Viewer" },
  roleMeans: {
    ADMIN: "Full access, including users, settings, environments, API keys and integrations.",
    DEVELOPER:
      "Manages flags, strategies, segments, contexts and tags. Can view everything else in a project.",
    VIEWER: "Can view flags and their settings. Cannot change anything.",
  },
  statuses: { ACTIVE: "Active", INVITED: "Invited", DISABLED: "Disabled" },

  inviteTitle: "Invite user",
  inviteText: "They get an e-mail with a link to choose a password. The link works for 7 days.",
  email: "E-mail",
  emailWrong: "Enter a valid e-mail address",
  known: "This e-mail address already has an account.",
  quota: "The maximum number of users is reached. Delete a user first.",
  nameHint: "They can change it later.",
  sendInvitation: "Send invitation",
  invited: "Invitation sent to {{email}}",
  unsentTitle: "The e-mail to {{email}} could not be sent",
  unsentText:
    "The invitation is saved. Send it again later. If that fails too, check the mail settings of the service.",
  inviteAgain: "Resend invitation",
  accepted: "{{name}} has already accepted the invitation",

  edit: "Edit",
  editTitle: "Edit {{name}}",
  editOwn: "This is your account. Changing your role or access signs you out.",
  endsSessions: "Changing the role or access signs this user out everywhere.",
  maySignIn: "Can sign in",
  maySignInHint: "If this is off, the account is kept but cannot sign in.",
  lastAdmin: "This is the last administrator. Make another user an administrator first.",
  breakGlass: "Emergency password",
  breakGlassHint:
    "Can sign in with a password while single sign-on is required. Needs a password and a second factor.",
  lastBreakGlass:
    "This is the last administrator, or the last one with an emergency password while single sign-on is required. Give another administrator an emergency password, a password and a second factor first.",
  saved: "{{name}} saved",

  access: "Tokens and agents",
  accessTitle: "Tokens and agents of {{name}}",
  accessText: "Programs use these to call the service as this user.",

  resetMfa: "Reset two-factor authentication",
  resetMfaTitle: "Reset two-factor authentication of {{name}}?",
  resetMfaText:
    "For users who have lost their phone and recovery codes. They are signed out everywhere and sign in with the password alone until they set it up again. Verify their identity first.",
  mfaReset: "Two-factor authentication of {{name}} reset",
  noMfa: "{{name}} does not use two-factor authentication",

  delete: "Delete",
  deleteTitle: "Delete {{name}}?",
  deleteText:
    "{{email}} is signed out everywhere and cannot sign in again. Past actions stay in the audit log.",
  deleteInvited: "The link in the invitation to {{email}} stops working.",
  deleteOwn: "This is your account. You are signed out and cannot sign in again.",
  deleted: "{{name}} deleted",
} as const;

/** The texts of the pages of service accounts. */
export const serviceAccounts = {
  about:
    "Programs such as deployment pipelines call the management API as a service account. It stays when the person who created it leaves.",
  new: "New service account",
  create: "Create service account",
  none: "No service accounts yet",
  noneText:
    "Create a service account for a program that changes flags, then create a token for it.",
  search: "Search service accounts",
  back: "Service accounts",
  nameHint: "The program, such as “Deployment”.",
  role: "Role",
  project: "Project",
  projectHint: "The account sees only this project. This cannot be changed later.",
  allProjectsHint: "With “All projects”, its role applies in every project.",
  allProjects: "All projects",
  created: "Created",
  editOne: "Edit {{name}}",
  saved: "{{name}} saved",
  roleNow: "A new role also applies to existing tokens at once.",
  quota: "The maximum number of service accounts is reached. Delete one first.",
  deleteOne: "Delete {{name}}",
  deleteAsk: "Delete “{{name}}”?",
  deleteText:
    "All its tokens are revoked, and requests with them are rejected with 401. Its past actions stay in the audit log. This cannot be undone.",
  delete: "Delete service account",
  deleted: "{{name}} deleted",
} as const;
