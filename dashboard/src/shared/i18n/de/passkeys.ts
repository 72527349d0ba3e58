import type { Messages } from "../en/index.ts";

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
