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

/** The texts of the page where administrators manage sign-on with identity providers. */
export const identityProviders = {
  title: "Sign-on",
  intro: "Identity providers with which users sign in, and whether passwords still work.",
  linkText: "Users can sign in with an identity provider of your organisation.",
  open: "Manage sign-on",
  list: "Identity providers",
  none: "No identity providers",
  noneText:
    "Add Google, Microsoft Entra ID, Okta, Keycloak, GitHub or Cloudflare Access, and users sign in with the account they already have.",
  add: "Add provider",
  added: "{{name}} added. Test the sign-in next, then turn it on.",
  saveUnchecked: "Save without the check?",
  saveUncheckedText: "The provider could not be checked: {{cause}}",
  saveUncheckedConfirm: "Save anyway",
  editOne: "Edit {{name}}",
  deleteOne: "Delete {{name}}",
  delete: "Delete",
  deleteAsk: "Delete {{name}}?",
  deleteText:
    "Sessions that began at this provider end at once, yours too if it is one of them. Users who have no password cannot sign in until another provider knows them.",
  deleted: "{{name}} deleted",
  readOnly: "Read-only",
  readOnlyText: "Comes from SIGN_ON_PROVIDERS. Change it in the configuration of the deployment.",
  types: { oidc: "OpenID Connect", github: "GitHub", access: "Cloudflare Access" },

  preset: "Provider",
  presets: {
    google: "Google",
    entra: "Microsoft Entra ID",
    okta: "Okta",
    keycloak: "Keycloak",
    github: "GitHub",
    access: "Cloudflare Access",
    other: "Other (OpenID Connect)",
  },
  where: {
    google:
      "Google Cloud console, “Credentials”: create an OAuth client of the type “Web application” with the callback URL below. Copy its client ID and client secret. Enter the domain of your Workspace.",
    entra:
      "Entra admin center, “App registrations”: register an application of the type “Web” with the callback URL below. Copy the directory (tenant) ID into the issuer, the application (client) ID, and the value of a new client secret. Add the optional claims email and xms_edov to the ID token.",
    okta: "Okta admin console, “Applications”: create an OIDC web application with the callback URL below. Copy the client ID and the client secret. The issuer is the address of your organisation or of an authorization server. For groups, add a claim groups with a filter.",
    keycloak:
      "Keycloak admin console, “Clients”: create a client with “Client authentication” and the callback URL below. Copy the client ID, and the secret from “Credentials”. The issuer contains the name of the realm. For roles of the realm, add them to the ID token.",
    github:
      "GitHub, “Developer settings”, “OAuth Apps”: create an app with the callback URL below. Copy the client ID and a new client secret. Groups are teams such as acme/developers. An organisation must permit the app, or its teams are not listed.",
    access:
      "Cloudflare Zero Trust, “Access”, “Applications”: copy the AUD tag of the application that protects this service. The team domain is in the settings. Let Access bypass /api/client, /api/ofrep and /ofrep, because SDKs do not sign in.",
    other:
      "Register a web application with the callback URL below at the provider. Copy its client ID and client secret. The issuer is the value issuer of the provider's discovery document. ID tokens may be signed with RS256, PS256, ES256 or EdDSA.",
  },
  nameHint: "Shown on the sign-in page.",
  slug: "Slug",
  slugHint: "Names the provider in URLs. Cannot change later.",
  slugWrong: "Use 1 to 64 lower-case letters, digits and dashes.",
  slugInUse: "An identity provider with this slug exists.",
  callback: "Callback URL",
  copyCallback: "Copy callback URL of {{name}}",
  issuer: "Issuer",
  issuerHint: "A new issuer ends the sessions that began at the earlier one.",
  issuerExample: "Replace the part in braces.",
  teamDomain: "Team domain",
  clientId: "Client ID",
  aud: "AUD tag",
  logout: "Back-channel logout URL",
  logoutHint: "Optional. The provider ends sessions here when a user signs out there.",
  copyLogout: "Copy logout URL",
  secret: "Client secret",
  secretHint: "Cannot be read again after you save it.",
  removeSecret: "Remove the stored secret",
  secretStays: "A secret is stored and cannot be read. Leave this empty to keep it.",

  users: "Who gets in",
  domains: "E-mail domains",
  domainsHint:
    "By addresses in these domains, the first sign-in recognises users. Without a domain, users can only link the provider in their profile.",
  domainWrong: "Enter domains such as example.com.",
  noDomains: "No e-mail domains",
  provisioning: "New users",
  provisionings: { invited: "Invited users only", justInTime: "Create users at sign-in" },
  provisioningMeans: {
    invited: "Somebody without an invitation is refused.",
    justInTime: "Everybody with an address in these domains gets an account.",
  },
  linkByEmail: "Link existing users by e-mail address",
  linkByEmailHint: "If this is off, they sign in once with their password and link the account.",

  roles: "Roles",
  defaultRole: "Default role",
  defaultRoleHint: "For new users, and for users in none of the groups below.",
  refuse: "None: refuse the sign-in",
  groupClaim: "Group claim",
  groupClaimHint: "The claim of the ID token that lists the groups of the user.",
  claimMissing: "Name the claim, because groups have roles.",
  group: "Group",
  addGroup: "Add group",
  nthGroup: "Group {{number}}",
  removeGroup: "Remove group {{number}}",
  groupsFull: "A provider has at most {{count}} groups.",

  secondFactor: "Second factor",
  secondFactors: {
    local: "Of this service",
    amr: "Of the provider, if it names one",
    provider: "Always of the provider",
  },
  secondFactorMeans: {
    local: "Users who have set one up enter their code here.",
    amr: "Users whose ID token names mfa, otp or hwk enter no code here.",
    provider: "Nobody enters a code here. You rely on the policies of the provider.",
  },
  sessionHours: "Longest session (hours)",
  enabled: "Users can sign in",
  enabledHint:
    "If this is off, only administrators can test the sign-in. Turn it on after a test has succeeded.",

  test: "Test sign-in",
  testOne: "Test sign-in with {{name}}",
  testWorked: "The sign-in with {{name}} works",
  testWorkedText:
    "A new user with this account could sign in, if invited or created. The test has changed nothing.",
  turnOn: "Let users sign in with {{name}}",
  turnedOn: "Users can sign in with {{name}}",
  testCause: "The test of {{name}} could not begin: {{cause}}",
  testFailed: "The sign-in with {{name}} does not work",
  problems: {
    denied: "The sign-in was cancelled at the provider.",
    expired:
      "The test took more than ten minutes, or the browser lost its cookie. If it happens again, PUBLIC_URL is not the address in the browser.",
    "not-verified":
      "The provider does not say that the e-mail address is verified. Entra ID: add the optional claim xms_edov. Keycloak: mark the address as verified.",
    domain:
      "The domain of the e-mail address is not in the list of the provider. Add it. A Google account must belong to the Workspace of the domain.",
    "no-role":
      "The account is in no group with a role. Add its group, or choose a default role. Entra ID: let the token list only the groups that are assigned to the application.",
    disabled: "Your account is disabled.",
    provider:
      "The provider does not respond, or its response is not valid. Check the issuer, the client ID, the client secret and the callback URL. The log of the service (app.sign-on) has the details.",
    other: "The service reports: {{word}}.",
  },

  passwords: "Passwords",
  passwordsText: "Turn passwords off when everybody can sign in with a provider.",
  require: "Require single sign-on",
  requireHint:
    "Only administrators with an emergency password can still sign in with a password, for the case that the provider fails.",
  before: "Before you turn this on:",
  beforeSession: "Sign in with a provider in this session, which shows that it works.",
  beforeBreakGlass:
    "Allow one active administrator an emergency password (<users>Users</users>, “Edit”). This administrator also needs a second factor.",
  requireAsk: "Require single sign-on?",
  requireText:
    "All other sessions that began with a password end at once. From then on, a sign-in with a password is mailed to all administrators.",
  requireConfirm: "Require",
  requireConflict:
    "Passwords are still on. Either you have signed in with a password instead of a provider, or no active administrator has an emergency password, a password and a second factor.",
  allowAsk: "Allow passwords again?",
  allowText: "Every user who has a password can sign in with it.",
  allow: "Allow passwords",
} as const;
