import type { Messages } from "../en/index.ts";

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
