import type { Messages } from "../en/index.ts";

export const tokens: Messages["tokens"] = {
  title: "Token",
  one: "Token",
  ownText:
    "Skripte und Werkzeuge rufen mit einem Token die Management-API für dieses Konto auf. Ein Token hat nie mehr Rechte als das eigene Konto.",
  accountText:
    "Programme rufen mit einem Token dieses Dienstkontos die Management-API auf. Ein Token hat nie mehr Rechte als die Rolle des Kontos.",
  none: "Noch keine Token",
  new: "Neues Token",
  create: "Token anlegen",
  nameHint: "Wo das Token benutzt wird, etwa „ci“.",
  header: "Header der Anfrage",
  scopes: "Rechte",
  scopesHint: "Nur die Rechte vergeben, die das Programm braucht.",
  scopeNames: { read: "Lesen", write: "Schreiben", approve: "Genehmigen", admin: "Verwalten" },
  scopeMeans: {
    read: "Flags, Einstellungen und Nutzung ansehen.",
    write: "Flags, Strategien, Segmente, Tags und Kontexte ändern und Änderungen vorschlagen.",
    approve: "Änderungsanträge prüfen.",
    admin: "Alles, was die Rolle Administration braucht, etwa Umgebungen und API-Schlüssel ändern.",
  },
  projects: "Projekte",
  projectsHint: "Nur diese Projekte sind sichtbar.",
  allProjects: "Alle Projekte",
  environments: "Umgebungen",
  environmentsHint: "Nur in diesen Umgebungen lassen sich Flags ändern, lesen in allen.",
  reaches: {
    withoutProduction: "Alle außer Produktion",
    chosen: "Ausgewählte Umgebungen",
    all: "Alle, auch Produktion",
  },
  withoutProductionHint: "Später angelegte Umgebungen gehören nicht dazu.",
  chooseEnvironments: "Umgebungen wählen",
  noEnvironment: "Mindestens eine Umgebung wählen",
  tooManyEnvironments:
    "Ein Token kann höchstens {{count}} Umgebungen haben. Weniger Projekte oder Umgebungen wählen.",
  needsAllEnvironments: "Nur ein Token für alle Umgebungen kann diese Rechte haben: {{rights}}",
  expiresInDays: "Gültig für (Tage)",
  expiresHint: "7 Tage vor dem Ablauf kommt eine E-Mail.",
  expiresRule: "Eine Zahl von {{min}} bis {{max}} eingeben",
  passwordHint: "Bestätigt, wer das Token anlegt.",
  quota: "Hier gibt es schon 50 gültige Token. Zuerst eines widerrufen.",
  all: "alle",
  more_one: "{{count}} weitere",
  more_other: "{{count}} weitere",
  expired: "Abgelaufen",
  expiresOn: "Läuft am {{date}} ab",
  expiredOn: "Am {{date}} abgelaufen",
  lastUsed: "zuletzt benutzt",
  revoke: "Widerrufen",
  revokeConfirm: "Token widerrufen",
  revokeText:
    "Anfragen mit diesem Token werden sofort mit 401 abgelehnt. Änderungen, die es geplant hat, bleiben geplant. Das lässt sich nicht rückgängig machen.",
};

export const agents: Messages["agents"] = {
  authorize: "Agent verbinden",
  authorizeIntro:
    "Ein Programm, etwa ein Coding-Agent, möchte über MCP mit den Flags arbeiten. Es hat nie mehr Rechte als das eigene Konto.",
  framed: "Diese Seite wird innerhalb einer anderen gezeigt",
  framedText:
    "Bitte in einem eigenen Tab öffnen. Eine andere Seite könnte sonst unbemerkt eine Zustimmung auslösen.",
  noRequest: "Gerade fragt kein Agent",
  noRequestText: "{{url}} im Agenten als MCP-Server eintragen. Der Agent öffnet dann diese Seite.",
  unknown: "Diese Anfrage ist ungültig",
  unknownClient:
    "Der Dienst kennt das anfragende Programm nicht. Es wurde nichts genehmigt, und der Browser bleibt hier. Den Hersteller des Programms informieren oder eine Administratorin bitten, es zu registrieren.",
  unknownRedirect:
    "Das Programm möchte die Antwort an einer Adresse, die nicht ihm gehört. Es wurde nichts genehmigt, und der Browser bleibt hier. Vielleicht versucht jemand zu täuschen.",
  wrong: "Die Anfrage von {{name}} ist ungültig",
  back: "Zurück zu {{host}}",
  asks: "{{name}} möchte für dieses Konto handeln",
  clientHost:
    "Das Programm ist unter <code>{{host}}</code> veröffentlicht. Seinen Namen hat es selbst gewählt.",
  registered: "Dieses Programm wurde von der Administration registriert.",
  redirect: "Nach der Entscheidung geht der Browser zu <code>{{host}}</code>.",
  redirectLocal:
    "Nach der Entscheidung geht der Browser zu einem Programm auf diesem Computer (<code>{{host}}</code>).",
  warning:
    "Nur genehmigen, wenn {{name}} gerade selbst verbunden wird. Wurde ein Link zu dieser Seite zugeschickt: ablehnen.",
  warningLocal:
    "Nur genehmigen, wenn {{name}} gerade auf diesem Computer verbunden wird. Der Dienst kann nicht prüfen, welches Programm auf diesem Computer die Antwort bekommt. Wurde ein Link zu dieser Seite zugeschickt: ablehnen.",
  quota:
    "Es gibt schon 50 verbundene Agenten, oder gerade wurden 10 genehmigt. Einen widerrufen oder eine Minute warten.",
  approve: "Genehmigen",
  answered: "Der Browser geht zum Programm zurück",
  answeredText: "Wenn es in {{name}} weitergeht, kann dieser Tab geschlossen werden.",

  title: "Verbundene Agenten",
  text: "Programme, die über MCP für dieses Konto arbeiten. Jedes wurde hier genehmigt.",
  none: "Keine verbundenen Agenten",
  expires: "Der Zugriff endet am {{date}}, wenn der Agent bis dahin nicht benutzt wird",
  revokeOne: "Zugriff von {{name}} widerrufen",
  revokeAsk: "Zugriff von {{name}} widerrufen?",
  revokeText: "Die nächste Anfrage wird mit 401 abgelehnt. Der Agent kann erneut fragen.",
  revoked: "Der Zugriff von {{name}} ist widerrufen",

  clients: "Registrierte Agenten",
  clientsText:
    "Die meisten Agenten veröffentlichen ein Dokument über sich und brauchen keine Registrierung. Ein Programm nur registrieren, wenn es nach einer Client-ID fragt.",
  noClients: "Keine registrierten Agenten",
  register: "Agent registrieren",
  clientId: "Client-ID",
  redirectUris: "Redirect-URIs",
  redirectUrisHint:
    "Eine je Zeile, jede mit https://. Ein Programm auf dem eigenen Computer hat http://127.0.0.1/…; der Port darf abweichen.",
  created: "{{name}} ist registriert",
  deleteAsk: "{{name}} löschen?",
  deleteText: "Wer diesen Agenten verbunden hat, verliert die Verbindung sofort.",
  delete: "Agent löschen",
  deleted: "{{name}} wurde gelöscht",
};

export const connectAgent: Messages["connectAgent"] = {
  title: "Agenten verbinden",
  text: "Ein Agent findet, erklärt und ändert Flags über MCP und der Verlauf nennt ihn.",
  program: "Programm",
  inTerminal: "In einem Terminal ausführen.",
  inFile: "In {{file}} einfügen.",
  asks: "Das Programm öffnet den Browser; dort werden die Rechte gewählt.",
  replace: "Anstelle von {{token}} ein Token einsetzen.",
  withToken: "Mit einem Token",
  withTokenHint: "Für Programme, die sich nicht mit OAuth anmelden oder ohne Browser laufen.",
  linesOf: "Zeilen für {{program}}",
  bounds:
    "Mit dem Recht „Lesen“ liest der Agent nur. In einer geschützten Umgebung stellt er Änderungsanträge, über die Menschen entscheiden.",
};

export const device: Messages["device"] = {
  title: "Auf einem Gerät anmelden",
  intro:
    "Ein Programm auf einem Gerät ohne Browser, etwa in einem Terminal, kann ein Token für das eigene Konto bekommen.",
  code: "Code",
  codeHint:
    "Den Code eingeben, den das Gerät zeigt, zum Beispiel WDJB-MJHT, oder prüfen, ob es diesen zeigt.",
  codeRule: "Die 8 Buchstaben eingeben, die das Gerät zeigt",
  continue: "Weiter",
  unknown: "Dieser Code ist unbekannt, schon benutzt oder abgelaufen. Auf dem Gerät neu beginnen.",
  asks: "{{name}} bittet um ein Token für das eigene Konto",
  from: "Von {{ip}}, <time/>",
  unknownAddress: "unbekannter Adresse",
  warning: "Selbst begonnen?",
  warningText:
    "Nur genehmigen, wenn das eigene Gerät den Code <code>{{code}}</code> zeigt. Wurde der Code oder ein Link zu dieser Seite zugeschickt: ablehnen.",
  passwordHint: "Bestätigt, wer genehmigt.",
  deny: "Ablehnen",
  approve: "Genehmigen",
  approved: "Genehmigt",
  approvedText:
    "Zurück zu {{name}}: Dort geht es in wenigen Sekunden weiter. Das Token ist 90 Tage gültig und lässt sich auf der Profilseite widerrufen.",
  denied: "Abgelehnt",
  deniedText: "{{name}} bekommt kein Token.",
};
