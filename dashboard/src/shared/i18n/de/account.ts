import type { Messages } from "../en/index.ts";

export const account: Messages["account"] = {
  intro: "Eigener Name und Sprache.",
  securityIntro: "Wege der Anmeldung und offene Sitzungen.",
  tokensIntro: "Was im eigenen Namen handeln darf.",
  person: "Persönliche Angaben",
  personText: "Der Name erscheint neben Änderungen und im Audit-Log.",
  languageText: "Gilt für dieses Konto auf jedem Gerät.",
  languageOfPages: "Sprache des Dashboards",

  password: "Passwort",
  passwordText:
    "Ein neues Passwort beendet alle anderen Sitzungen. Tokens bleiben gültig: unbekannte bitte widerrufen.",
  currentPassword: "Aktuelles Passwort",
  passwordLength: "{{min}} bis {{max}} Zeichen.",
  currentWrong: "Das aktuelle Passwort ist falsch",
  confirmText:
    "Bitte die Identität beim Identitätsanbieter bestätigen. Danach erscheint wieder diese Seite, und zehn Minuten lang wird nicht erneut gefragt.",
  confirmWith: "Mit {{provider}} bestätigen",
  confirmNowhere:
    "Der Identitätsanbieter ist nicht verfügbar. Administratoren können helfen; oder auf der Anmeldeseite über „Passwort vergessen?“ ein Passwort setzen.",
  confirmed: "Bestätigt. Zehn Minuten lang wird nicht erneut gefragt.",
  confirmedUntil: "Bestätigt. Das gilt bis {{time}}.",
  confirmAgain: "Die Bestätigung ist abgelaufen. Dieses Formular schließen und erneut bestätigen.",
  passwordChanged: "Passwort geändert. Alle anderen Sitzungen sind beendet.",

  mfa: "Zwei-Faktor-Authentifizierung",
  mfaText:
    "Schützt das Konto, wenn das Passwort gestohlen wird. Beim Anmelden wird zusätzlich ein Code aus einer App auf dem Telefon verlangt.",
  mfaOff: "Aus. Zum Anmelden ist kein Code nötig.",
  mfaDue: "Erforderlich bis {{date}} ({{when}}).",
  mfaOverdue: "Zum Weiterarbeiten bitte einrichten.",
  mfaSetUp: "Zwei-Faktor-Authentifizierung einrichten",
  mfaPasswordText: "Bitte zuerst die Identität bestätigen.",
  mfaContinue: "Weiter",
  mfaInstall: "Eine Authenticator-App auf dem Telefon öffnen.",
  mfaScan: "Diesen Code scannen:",
  mfaQr: "QR-Code für die Authenticator-App",
  mfaType:
    "Scannen nicht möglich? Diesen Schlüssel in der App eingeben. Auf dem Telefon: <app>App öffnen</app>.",
  mfaCopySecret: "Schlüssel kopieren",
  mfaConfirm: "Den Code aus der App eingeben.",
  mfaTurnOn: "Aktivieren",
  mfaTurnedOn: "Die Zwei-Faktor-Authentifizierung ist aktiviert.",
  mfaTurnOff: "Deaktivieren",
  mfaTurnOffText:
    "Danach ist zum Anmelden kein Code nötig. Ist Zwei-Faktor-Authentifizierung vorgeschrieben, kann der Zugang sofort enden.",
  mfaTurnedOff: "Die Zwei-Faktor-Authentifizierung ist deaktiviert.",
  codeHint: "Aus der Authenticator-App oder ein Wiederherstellungscode.",
  codeWrong: "Dieser Code ist ungültig oder wurde schon verwendet",

  codes: "Wiederherstellungscodes",
  codesLeft_zero:
    "Keine Wiederherstellungscodes mehr. Ohne neue Codes sperrt ein verlorenes Telefon das Konto.",
  codesLeft_one: "Noch {{count}} Wiederherstellungscode. Bitte bald neue erzeugen.",
  codesLeft_other: "Noch {{count}} Wiederherstellungscodes, für die Anmeldung ohne Telefon.",
  codesRenew: "Neue Wiederherstellungscodes erzeugen",
  codesRenewText: "Zehn neue Codes werden erzeugt. Die alten funktionieren dann nicht mehr.",
  codesText:
    "Mit jedem Code ist eine Anmeldung ohne Telefon möglich. Bitte sicher aufbewahren: Sie werden nicht noch einmal angezeigt.",
  codesCopy: "Wiederherstellungscodes kopieren",
  codesDownload: "Herunterladen",
  codesKept: "Ich habe die Codes gespeichert",

  accounts: "Single Sign-on",
  accountsText: "Konten bei Anbietern, mit denen die Anmeldung möglich ist.",
  noAccounts: "Kein Konto ist verknüpft.",
  link: "{{provider}} verknüpfen",
  linked: "Das Konto ist verknüpft. Die Anmeldung damit ist jetzt möglich.",
  linkedSince: "verknüpft am {{date}}",
  lastUsed: "zuletzt verwendet",
  unlink: "Trennen",
  unlinkOf: "{{account}} trennen",
  unlinkTitle: "{{account}} trennen?",
  unlinkText:
    "Die Anmeldung mit diesem Konto ist dann nicht mehr möglich. Andere Sitzungen damit enden.",
  unlinked: "Konto getrennt",
  lastAccount:
    "Ohne dieses Konto ist keine Anmeldung möglich. Bitte zuerst ein Passwort setzen oder ein anderes Konto verknüpfen.",

  sessions: "Sitzungen",
  sessionsText:
    "Geräte, auf denen dieses Konto angemeldet ist. Unbekannte Geräte bitte abmelden und das Passwort ändern.",
  unknownProgram: "Unbekannte App",
  device: "{{program}} auf {{system}}",
  thisDevice: "Dieses Gerät",
  since: "seit {{date}}",
  lastActive: "zuletzt aktiv",
  end: "Abmelden",
  endOf: "{{device}} abmelden",
  endTitle: "{{device}} abmelden?",
  endText: "Das Gerät muss sich innerhalb von 15 Minuten neu anmelden.",
  endOthers: "Alle anderen Sitzungen abmelden",
  endOthersTitle: "Alle anderen Sitzungen abmelden?",
  ended_one: "Sitzung abgemeldet",
  ended_other: "{{count}} Sitzungen abgemeldet",
  showAll: "Alle {{count}} zeigen",
};

export const passkeys: Messages["passkeys"] = {
  title: "Passkeys",
  text: "Anmelden mit Fingerabdruck, Gesicht, Bildschirmsperre oder Sicherheitsschlüssel statt mit Passwort und Code.",
  none: "Es gibt keine Passkeys.",
  add: "Passkey hinzufügen",
  addText:
    "Danach reicht das Passwort allein nicht mehr: Zum Anmelden gehört auch ein Passkey oder ein Code. Ein zweiter Passkey oder eine Authenticator-App verhindert, dass der Verlust eines Geräts aussperrt.",
  nameHint: "Zum Wiedererkennen, zum Beispiel das Gerät.",
  added: "Passkey hinzugefügt. Die Anmeldung damit ist jetzt möglich.",
  cancelled: "Der Browser hat keinen Passkey erstellt. Bitte neu versuchen.",
  known: "Dieses Gerät hat schon einen Passkey für das Konto.",
  tooMany: "Die Höchstzahl der Passkeys ist erreicht. Bitte zuerst einen entfernen.",
  wrongAddress:
    "Browser erstellen für diese Adresse keine Passkeys. Bitte das Dashboard über seinen Domainnamen öffnen.",
  since: "hinzugefügt am {{date}}",
  neverUsed: "nie benutzt",
  backedUp: "auch auf anderen eigenen Geräten",
  rename: "Passkey umbenennen",
  renameOne: "{{name}} umbenennen",
  remove: "Passkey entfernen",
  removeOne: "{{name}} entfernen",
  removeText:
    "Die Anmeldung mit {{name}} ist dann nicht mehr möglich. Ohne Passkey und ohne Authenticator-App reicht zum Anmelden das Passwort.",
  removeConfirm: "Entfernen",
  removed: "{{name}} entfernt",
};
