import type { Messages } from "../en/index.ts";

export const apiKeys: Messages["apiKeys"] = {
  about:
    "Anwendungen werten mit einem API-Schlüssel die Flags einer Umgebung aus. Am besten bekommt jede Anwendung einen eigenen, damit er sich einzeln widerrufen lässt.",
  new: "Neuer API-Schlüssel",
  create: "Schlüssel anlegen",
  none: "Noch keine API-Schlüssel",
  noneText:
    "Eine Anwendung braucht einen API-Schlüssel, um Flags auszuwerten. Er wird nur einmal angezeigt, mit Code zum Einfügen.",
  noneHere: "Keine API-Schlüssel passen zu diesen Filtern",
  search: "API-Schlüssel suchen",
  noEnvironment: "Zuerst eine Umgebung anlegen",
  noEnvironmentText:
    "Jeder API-Schlüssel gehört zu einer Umgebung, und dieses Projekt hat noch keine.",
  environment: "Umgebung",
  environmentHint:
    "Der Schlüssel liest nur die Flags dieser Umgebung. Das lässt sich später nicht ändern.",
  nameHint: "Die Anwendung, die ihn benutzt, etwa „Webshop-Backend“.",
  key: "API-Schlüssel",
  type: "Art",
  types: { SERVER: "Server", FRONTEND: "Frontend" },
  typesInShort: { SERVER: "Geheim", FRONTEND: "Sicher für Clients" },
  typeChoices: { SERVER: "Server-Schlüssel", FRONTEND: "Frontend-Schlüssel" },
  typesAtLength: {
    SERVER:
      "Für Backends und Skripte. Er liest alle Regeln. Geheim halten: nie in einem Browser oder einer App verwenden.",
    FRONTEND:
      "Für Browser und Apps. Er darf öffentlich sein: Er wertet Flags aus und meldet Nutzung, kann aber keine Regeln lesen.",
  },
  canWrite: "Der Schlüssel darf Rollouts ändern",
  canWriteHint:
    "Für Skripte, die Flags dieser Umgebung über die API schalten. Eine Anwendung, die nur auswertet, braucht es nicht.",
  writes: "liest und ändert Rollouts",
  onlyReads: "liest nur",
  endsIn: "endet auf",
  created: "Angelegt",
  lastUsed: "Zuletzt benutzt",
  neverUsed: "nie benutzt",
  editOne: "{{name}} bearbeiten",
  revoke: "Schlüssel widerrufen",
  revokeOne: "{{name}} widerrufen",
  revokeAsk: "„{{name}}“ widerrufen?",
  revoked: "{{name}} widerrufen",
  revokeUnused: "Dieser Schlüssel wurde nie benutzt.",
  revokeUsed: "Zuletzt <when><time/></when> in {{environment}} benutzt.",
  revokeApps:
    "Zuletzt in {{environment}} gesehene Anwendungen, mit diesem oder einem anderen Schlüssel: {{apps}}.",
  revokeEffect: {
    SERVER:
      "Anfragen mit diesem Schlüssel werden mit 401 abgelehnt, meist innerhalb von 3 Sekunden. SDKs mit diesem Schlüssel erhalten keine Änderungen mehr und behalten ihre Regeln im Cache, bis sie neu starten. Das lässt sich nicht rückgängig machen.",
    FRONTEND:
      "Anfragen mit diesem Schlüssel werden mit 401 abgelehnt, meist innerhalb von 3 Sekunden. Apps mit diesem Schlüssel erhalten keine Änderungen mehr und behalten ihre Ergebnisse im Cache, bis sie neu starten. Das lässt sich nicht rückgängig machen.",
  },
  isCreated: "{{name}} angelegt",
  tryIt: "Schlüssel verwenden",
  exampleFlag: "Flag in den Beispielen",
  onlyOnce: "Jetzt kopieren und sicher aufbewahren. Es wird nicht noch einmal angezeigt.",
  done: "Fertig",
  leaveTitle: "Ohne Kopieren schließen?",
  leaveText: "Es ist noch nicht kopiert und wird nicht noch einmal angezeigt.",
  leave: "Trotzdem schließen",
};
