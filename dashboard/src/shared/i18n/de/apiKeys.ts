import type { Translated } from "../translated.ts";
import type { apiKeys as english } from "../en/apiKeys.ts";

export const apiKeys = {
  about:
    "Mit einem Schlüssel fragt eine Anwendung nach den Flags einer Umgebung. Am besten bekommt jede Anwendung ihren eigenen: So lässt sich einer widerrufen, ohne die anderen zu treffen.",
  new: "Neuer API-Schlüssel",
  create: "Schlüssel anlegen",
  none: "Noch keine API-Schlüssel",
  noneText:
    "Die Anwendung braucht einen, um nach ihren Flags zu fragen. Er wird einmal gezeigt, mit fertigem Code zum Einfügen.",
  noneHere: "Keine API-Schlüssel für diese Umgebung",
  noEnvironment: "Erst eine Umgebung, dann ein Schlüssel",
  noEnvironmentText: "Jeder Schlüssel gehört zu einer Umgebung, und dieses Projekt hat noch keine.",
  toEnvironments: "Zu den Umgebungen",
  environment: "Umgebung",
  allEnvironments: "Alle Umgebungen",
  environmentHint:
    "Der Schlüssel sieht nur die Flags dieser Umgebung. Das lässt sich später nicht ändern.",
  nameHint: "Wer ihn benutzt, zum Beispiel „Webshop-Backend“.",
  key: "API-Schlüssel",
  type: "Art",
  types: { SERVER: "Server", FRONTEND: "Frontend" },
  typesInShort: { SERVER: "Geheim: nur für Server", FRONTEND: "Darf öffentlich sein" },
  typeChoices: { SERVER: "Server-Schlüssel", FRONTEND: "Frontend-Schlüssel" },
  typesAtLength: {
    SERVER:
      "Für Backends und Skripte. Er liest alle Regeln und darf Rollouts ändern: geheim halten, nie in den Browser oder in eine App.",
    FRONTEND:
      "Für Browser und Apps. Er darf öffentlich sein: Er fragt nur nach Ergebnissen und meldet Nutzung, Regeln sieht er nicht.",
  },
  endsIn: "endet auf",
  created: "Angelegt",
  lastUsed: "Zuletzt benutzt",
  neverUsed: "nie benutzt",
  rename: "Umbenennen",
  renameOne: "{{name}} umbenennen",
  renameHint: "Nur der Name ändert sich; der Schlüssel gilt weiter.",
  revoke: "Schlüssel widerrufen",
  revokeOne: "{{name}} widerrufen",
  revokeAsk: "„{{name}}“ widerrufen?",
  revoked: "„{{name}}“ ist widerrufen",
  revokeUnused: "Dieser Schlüssel wurde nie benutzt.",
  revokeUsed: "Er wurde zuletzt <when><time/></when> benutzt, für {{environment}}.",
  revokeApps:
    "Zuletzt in {{environment}} gesehen, mit diesem oder einem anderen Schlüssel: {{apps}}.",
  revokeEffect: {
    SERVER:
      "Nach 2 Sekunden wird er mit 401 abgewiesen. Wo die nächste Kopie der Datenbank hinterherhinkt, wird er abgewiesen, sobald sie aufgeholt hat: meist binnen einer weiteren Sekunde, selten nach mehr als 6. SDKs mit ihm erhalten keine Änderungen mehr, arbeiten aber mit den Regeln weiter, die sie haben, bis sie neu gestartet werden. Das lässt sich nicht rückgängig machen.",
    FRONTEND:
      "Nach 2 Sekunden wird er mit 401 abgewiesen. Wo die nächste Kopie der Datenbank hinterherhinkt, wird er abgewiesen, sobald sie aufgeholt hat: meist binnen einer weiteren Sekunde, selten nach mehr als 6. Apps mit ihm erhalten keine neuen Ergebnisse mehr, arbeiten aber mit denen weiter, die sie haben, bis sie neu gestartet werden. Das lässt sich nicht rückgängig machen.",
  },
  isCreated: "„{{name}}“ ist angelegt",
  tryIt: "So wird er benutzt",
  onlyOnce: "Jetzt kopieren und sicher aufbewahren: Danach wird es nicht mehr gezeigt.",
  done: "Fertig",
  leaveTitle: "Ohne Kopie schließen?",
  leaveText: "Es ist noch nicht kopiert und kann nicht noch einmal gezeigt werden.",
  leave: "Trotzdem schließen",
} satisfies Translated<typeof english>;
