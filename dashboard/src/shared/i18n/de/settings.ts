import type { Messages } from "../en/index.ts";

export const settings: Messages["settings"] = {
  intro: "Gelten für alle Personen und Projekte.",
  mfa: "Zwei-Faktor-Authentifizierung",
  mfaText:
    "Schützt Konten bei gestohlenem Passwort: Zum Anmelden wird zusätzlich ein Code aus einer App auf dem Telefon verlangt.",
  requireMfa: "Zwei-Faktor-Authentifizierung vorschreiben",
  requireMfaHint:
    "Wer sie nicht hat, bekommt 48 Stunden zum Einrichten. Danach ist bis dahin nur das eigene Profil offen.",
  until: "Wer keine Zwei-Faktor-Authentifizierung hat, hat Zeit bis {{date}} ({{when}}).",
  over: "Die 48 Stunden endeten am {{date}}: Ohne Zwei-Faktor-Authentifizierung ist nur das eigene Profil offen.",
  ownMissing: "Im eigenen Konto fehlt sie noch. <profile>Zuerst dort einrichten</profile>.",
  turnOnTitle: "Zwei-Faktor-Authentifizierung für alle vorschreiben?",
  turnOnText:
    "Wer sie nicht hat, bekommt 48 Stunden zum Einrichten. Danach ist bis dahin keine Arbeit hier möglich. Für alle anderen ändert sich nichts.",
  turnOn: "Vorschreiben",
  turnOff: "Nach dem Speichern reicht zum Anmelden das Passwort.",

  sessions: "Sitzungen",
  sessionsText: "Wer das Dashboard länger nicht benutzt, muss sich neu anmelden.",
  timeout: "Leerlaufzeit (Stunden)",
  timeoutHint: "1 bis 720 Stunden (30 Tage).",
  timeoutWrong: "Bitte eine ganze Zahl von 1 bis 720 eingeben.",
  makes: "= {{duration}}",
  shorter: "Sitzungen, die schon länger nicht benutzt wurden, enden mit dem Speichern.",

  changed: "Zuletzt geändert",
  loadAgain: "Neu laden",
};

export const identityProviders: Messages["identityProviders"] = {
  title: "Single Sign-on",
  intro: "Identitätsanbieter für die Anmeldung, und ob Passwörter noch gelten.",
  linkText: "Die Anmeldung ist auch über einen Identitätsanbieter der Organisation möglich.",
  open: "Single Sign-on verwalten",
  list: "Identitätsanbieter",
  none: "Keine Identitätsanbieter",
  noneText:
    "Mit Google, Microsoft Entra ID, Okta, Keycloak, GitHub oder Cloudflare Access melden sich alle mit dem Konto an, das sie schon haben.",
  add: "Anbieter hinzufügen",
  added: "{{name}} hinzugefügt. Als Nächstes die Anmeldung testen, dann einschalten.",
  saveUnchecked: "Ohne Prüfung speichern?",
  saveUncheckedText: "Der Anbieter ließ sich nicht prüfen: {{cause}}",
  saveUncheckedConfirm: "Trotzdem speichern",
  editOne: "{{name}} bearbeiten",
  deleteOne: "{{name}} löschen",
  delete: "Löschen",
  deleteAsk: "{{name}} löschen?",
  deleteText:
    "Sitzungen, die bei diesem Anbieter begonnen haben, enden sofort, auch die eigene. Wer kein Passwort hat, kann sich erst wieder anmelden, wenn ein anderer Anbieter das Konto kennt.",
  deleted: "{{name}} gelöscht",
  readOnly: "Nur lesbar",
  readOnlyText: "Stammt aus SIGN_ON_PROVIDERS. Nur in der Konfiguration des Deployments änderbar.",
  types: { oidc: "OpenID Connect", github: "GitHub", access: "Cloudflare Access" },

  preset: "Anbieter",
  presets: {
    google: "Google",
    entra: "Microsoft Entra ID",
    okta: "Okta",
    keycloak: "Keycloak",
    github: "GitHub",
    access: "Cloudflare Access",
    other: "Anderer (OpenID Connect)",
  },
  where: {
    google:
      "Google Cloud Console, „Credentials“: einen OAuth-Client vom Typ „Web application“ mit der Callback-URL unten anlegen. Client-ID und Client-Secret kopieren. Die Domain des Workspace eintragen.",
    entra:
      "Entra Admin Center, „App registrations“: eine Anwendung vom Typ „Web“ mit der Callback-URL unten registrieren. Die Directory (tenant) ID in den Issuer kopieren, dazu die Application (client) ID und den Wert eines neuen Client-Secrets. Die optionalen Claims email und xms_edov zum ID-Token hinzufügen.",
    okta: "Okta Admin Console, „Applications“: eine OIDC-Webanwendung mit der Callback-URL unten anlegen. Client-ID und Client-Secret kopieren. Der Issuer ist die Adresse der Organisation oder eines Authorization Servers. Für Gruppen einen Claim groups mit Filter hinzufügen.",
    keycloak:
      "Keycloak Admin Console, „Clients“: einen Client mit „Client authentication“ und der Callback-URL unten anlegen. Die Client-ID und das Secret aus „Credentials“ kopieren. Der Issuer enthält den Namen des Realms. Rollen des Realms müssen im ID-Token stehen.",
    github:
      "GitHub, „Developer settings“, „OAuth Apps“: eine App mit der Callback-URL unten anlegen. Die Client-ID und ein neues Client-Secret kopieren. Gruppen sind Teams wie acme/developers. Eine Organisation muss die App erlauben, sonst fehlen ihre Teams.",
    access:
      "Cloudflare Zero Trust, „Access“, „Applications“: das AUD-Tag der Anwendung kopieren, die diesen Dienst schützt. Die Team-Domain steht in den Einstellungen. /api/client, /api/ofrep und /ofrep von Access ausnehmen, weil SDKs sich nicht anmelden.",
    other:
      "Beim Anbieter eine Webanwendung mit der Callback-URL unten registrieren. Client-ID und Client-Secret kopieren. Der Issuer ist der Wert issuer im Discovery-Dokument des Anbieters. ID-Tokens dürfen mit RS256, PS256, ES256 oder EdDSA signiert sein.",
  },
  nameHint: "Steht auf der Anmeldeseite.",
  slug: "Kürzel",
  slugHint: "Bezeichnet den Anbieter in URLs. Später nicht mehr änderbar.",
  slugWrong: "Bitte 1 bis 64 Kleinbuchstaben, Ziffern und Bindestriche eingeben.",
  slugInUse: "Es gibt schon einen Anbieter mit diesem Kürzel.",
  callback: "Callback-URL",
  copyCallback: "Callback-URL von {{name}} kopieren",
  issuer: "Issuer",
  issuerHint: "Ein neuer Issuer beendet die Sitzungen, die beim bisherigen begonnen haben.",
  issuerExample: "Bitte den Teil in geschweiften Klammern ersetzen.",
  teamDomain: "Team-Domain",
  clientId: "Client-ID",
  aud: "AUD-Tag",
  logout: "Back-Channel-Logout-URL",
  logoutHint: "Optional. Hier beendet der Anbieter Sitzungen, wenn sich jemand dort abmeldet.",
  copyLogout: "Logout-URL kopieren",
  secret: "Client-Secret",
  secretHint: "Nach dem Speichern nicht mehr lesbar.",
  removeSecret: "Gespeichertes Secret entfernen",
  secretStays: "Ein Secret ist gespeichert und nicht lesbar. Leer lassen, um es zu behalten.",

  users: "Zugang",
  domains: "E-Mail-Domains",
  domainsHint:
    "An Adressen in diesen Domains erkennt die erste Anmeldung bestehende Konten. Ohne Domain lässt sich der Anbieter nur im Profil verknüpfen.",
  domainWrong: "Bitte Domains wie example.com eingeben.",
  noDomains: "Keine E-Mail-Domains",
  provisioning: "Neue Personen",
  provisionings: { invited: "Nur Eingeladene", justInTime: "Konto bei der Anmeldung anlegen" },
  provisioningMeans: {
    invited: "Ohne Einladung wird die Anmeldung abgelehnt.",
    justInTime: "Alle mit einer Adresse in diesen Domains bekommen ein Konto.",
  },
  linkByEmail: "Bestehende Konten über die E-Mail-Adresse verknüpfen",
  linkByEmailHint:
    "Ist das aus, ist einmal eine Anmeldung mit Passwort nötig, um den Anbieter zu verknüpfen.",

  roles: "Rollen",
  defaultRole: "Standardrolle",
  defaultRoleHint: "Für neue Personen, und für Personen in keiner der Gruppen unten.",
  refuse: "Keine: Anmeldung ablehnen",
  groupClaim: "Claim der Gruppen",
  groupClaimHint: "Der Claim im ID-Token, der die Gruppen der Person enthält.",
  claimMissing: "Bitte den Claim angeben, weil Gruppen Rollen haben.",
  group: "Gruppe",
  addGroup: "Gruppe hinzufügen",
  nthGroup: "Gruppe {{number}}",
  removeGroup: "Gruppe {{number}} entfernen",
  groupsFull: "Ein Anbieter hat höchstens {{count}} Gruppen.",

  secondFactor: "Zweiter Faktor",
  secondFactors: {
    local: "Von diesem Dienst",
    amr: "Vom Anbieter, wenn er einen nennt",
    provider: "Immer vom Anbieter",
  },
  secondFactorMeans: {
    local: "Wer einen eingerichtet hat, gibt hier den Code ein.",
    amr: "Nennt das ID-Token mfa, otp oder hwk, ist hier kein Code nötig.",
    provider: "Hier ist nie ein Code nötig. Es gelten die Regeln des Anbieters.",
  },
  sessionHours: "Längste Sitzung (Stunden)",
  enabled: "Anmeldung möglich",
  enabledHint:
    "Ist das aus, kann nur die Administration die Anmeldung testen. Nach einem erfolgreichen Test einschalten.",

  test: "Anmeldung testen",
  testOne: "Anmeldung testen mit {{name}}",
  testWorked: "Die Anmeldung mit {{name}} funktioniert",
  testWorkedText:
    "Eine neue Person könnte sich mit diesem Konto anmelden, wenn sie eingeladen ist oder angelegt wird. Der Test hat nichts geändert.",
  turnOn: "Anmeldung mit {{name}} einschalten",
  turnedOn: "Die Anmeldung mit {{name}} ist möglich",
  testCause: "Der Test von {{name}} konnte nicht beginnen: {{cause}}",
  testFailed: "Die Anmeldung mit {{name}} funktioniert nicht",
  problems: {
    denied: "Die Anmeldung wurde beim Anbieter abgebrochen.",
    expired:
      "Der Test dauerte mehr als zehn Minuten, oder der Browser hat sein Cookie verloren. Passiert das wieder, ist PUBLIC_URL nicht die Adresse im Browser.",
    "not-verified":
      "Der Anbieter bestätigt die E-Mail-Adresse nicht. Entra ID: den optionalen Claim xms_edov hinzufügen. Keycloak: die Adresse als bestätigt markieren.",
    domain:
      "Die Domain der E-Mail-Adresse fehlt in der Liste des Anbieters. Bitte hinzufügen. Ein Google-Konto muss zum Workspace der Domain gehören.",
    "no-role":
      "Das Konto ist in keiner Gruppe mit einer Rolle. Bitte die Gruppe hinzufügen oder eine Standardrolle wählen. Entra ID: nur die Gruppen ins Token aufnehmen, die der Anwendung zugewiesen sind.",
    disabled: "Das eigene Konto ist gesperrt.",
    provider:
      "Der Anbieter antwortet nicht, oder seine Antwort ist ungültig. Bitte Issuer, Client-ID, Client-Secret und Callback-URL prüfen. Näheres steht im Log des Dienstes (app.sign-on).",
    other: "Der Dienst meldet: {{word}}.",
  },

  passwords: "Passwörter",
  passwordsText: "Passwörter abschalten, sobald sich alle über einen Anbieter anmelden können.",
  require: "Single Sign-on vorschreiben",
  requireHint:
    "Mit einem Passwort meldet sich dann nur noch an, wer zur Administration gehört und ein Notfallpasswort hat, falls der Anbieter ausfällt.",
  before: "Vor dem Einschalten:",
  beforeSession: "In dieser Sitzung über einen Anbieter anmelden. Das zeigt, dass er funktioniert.",
  beforeBreakGlass:
    "Einem aktiven Konto der Administration ein Notfallpasswort erlauben (<users>Personen</users>, „Bearbeiten“). Dieses Konto braucht auch einen zweiten Faktor.",
  requireAsk: "Single Sign-on vorschreiben?",
  requireText:
    "Alle anderen Sitzungen, die mit einem Passwort begonnen haben, enden sofort. Danach geht bei jeder Anmeldung mit Passwort eine E-Mail an die ganze Administration.",
  requireConfirm: "Vorschreiben",
  requireConflict:
    "Passwörter gelten weiterhin. Entweder hat die eigene Sitzung mit einem Passwort begonnen, oder kein aktives Konto der Administration hat ein Notfallpasswort, ein Passwort und einen zweiten Faktor.",
  allowAsk: "Passwörter wieder erlauben?",
  allowText: "Wer ein Passwort hat, kann sich damit anmelden.",
  allow: "Passwörter erlauben",
};
