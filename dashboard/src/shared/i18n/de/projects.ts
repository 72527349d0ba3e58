import type { Translated } from "../translated.ts";
import type { projects as english } from "../en/projects.ts";

export const projects = {
  title: "Projekte",
  about:
    "Ein Projekt enthält die Flags eines Produkts, dazu dessen Umgebungen, Segmente und Schlüssel.",
  search: "Projekte durchsuchen",
  found_one: "{{count}} Projekt gefunden",
  found_other: "{{count}} Projekte gefunden",
  since: "Angelegt am {{date}}",
  new: "Neues Projekt",
  create: "Projekt anlegen",
  descriptionHint: "Optional: wofür es da ist und für wen.",
  first: "Am Anfang steht ein Projekt",
  firstText:
    "Es enthält die Flags eines Produkts, etwa des Webshops. Ist es angelegt, führt eine kurze Anleitung in wenigen Minuten zum ersten Flag.",
  noneText:
    "Es gibt noch kein Projekt. Anlegen kann eines, wer zur Administration gehört; dann stehen hier dessen Flags.",
  nameInUse: "Ein anderes Projekt heißt schon so",
  id: "Projekt-ID",
  readOnly: "Nur die Administration kann Projekte ändern.",
  delete: "Projekt löschen",
  deleteTitle: "Dieses Projekt löschen",
  deleteText: "Mit allem, was darin ist. Das lässt sich nicht rückgängig machen.",
  deleteAsk: "„{{name}}“ löschen?",
  deleted: "„{{name}}“ ist gelöscht",
  keysLeft_one:
    "Es hat noch {{count}} API-Schlüssel. Dieser muss zuerst widerrufen werden, damit keine Anwendung überraschend ihre Flags verliert.",
  keysLeft_other:
    "Es hat noch {{count}} API-Schlüssel. Diese müssen zuerst widerrufen werden, damit keine Anwendung überraschend ihre Flags verliert.",
  toKeys: "Zu den API-Schlüsseln",
  goesWithIt: "Mit dem Projekt verschwinden:",
  flags_one: "{{count}} Flag",
  flags_other: "{{count}} Flags",
  environments_one: "{{count}} Umgebung",
  environments_other: "{{count}} Umgebungen",
  segments_one: "{{count}} Segment",
  segments_other: "{{count}} Segmente",
  integrations_one: "{{count}} Integration",
  integrations_other: "{{count}} Integrationen",
  otherThings: "archivierte Flags, Kontexte, Tags und alle Nutzungszahlen",
  deleteFinal: "Niemand kann das Projekt zurückholen.",
  typeName: "Zur Bestätigung <name>{{name}}</name> eintippen",
} satisfies Translated<typeof english>;
