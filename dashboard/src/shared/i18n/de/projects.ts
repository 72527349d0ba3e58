import type { Translated } from "../translated.ts";
import type { projects as english } from "../en/projects.ts";

export const projects = {
  title: "Projekte",
  about:
    "Ein Projekt enthält die Flags eines Produkts mit dessen Umgebungen, Segmenten und API-Schlüsseln.",
  search: "Projekte durchsuchen",
  found_one: "{{count}} Projekt gefunden",
  found_other: "{{count}} Projekte gefunden",
  since: "Angelegt am {{date}}",
  new: "Neues Projekt",
  create: "Projekt anlegen",
  descriptionHint: "Wofür das Projekt ist.",
  general: "Allgemein",
  generalText: "Name und Beschreibung des Projekts, und wann seine Flags veraltet sind.",
  staleDays: "Tage, bis ein Flag veraltet",
  staleDaysHint: "Ein Release-Flag, das so lange unverändert ist, wird als veraltet markiert.",
  first: "Erstes Projekt anlegen",
  firstText:
    "Ein Projekt enthält die Flags eines Produkts, etwa des Webshops. Nach dem Anlegen führt eine kurze Anleitung zum ersten Flag.",
  noneText: "Es gibt noch keine Projekte. Die Administration kann eines anlegen.",
  nameInUse: "Ein anderes Projekt heißt schon so",
  id: "Projekt-ID",
  readOnly: "Nur die Administration kann Projekte ändern.",
  delete: "Projekt löschen",
  deleteTitle: "Dieses Projekt löschen",
  deleteText: "Damit wird alles darin gelöscht. Das lässt sich nicht rückgängig machen.",
  deleteAsk: "„{{name}}“ löschen?",
  deleted: "{{name}} gelöscht",
  keysLeft_one:
    "Es hat noch {{count}} API-Schlüssel. Dieser muss zuerst widerrufen werden, damit keine Anwendung unerwartet ihre Flags verliert.",
  keysLeft_other:
    "Es hat noch {{count}} API-Schlüssel. Diese müssen zuerst widerrufen werden, damit keine Anwendung unerwartet ihre Flags verliert.",
  toKeys: "Zu den API-Schlüsseln",
  goesWithIt: "Damit werden auch gelöscht:",
  flags_one: "{{count}} Flag",
  flags_other: "{{count}} Flags",
  environments_one: "{{count}} Umgebung",
  environments_other: "{{count}} Umgebungen",
  segments_one: "{{count}} Segment",
  segments_other: "{{count}} Segmente",
  integrations_one: "{{count}} Integration",
  integrations_other: "{{count}} Integrationen",
  otherThings: "archivierte Flags, Kontexte, Tags und alle Nutzungszahlen",
  deleteFinal: "Das lässt sich nicht rückgängig machen.",
  typeName: "Zur Bestätigung <name>{{name}}</name> eintippen",
} satisfies Translated<typeof english>;
