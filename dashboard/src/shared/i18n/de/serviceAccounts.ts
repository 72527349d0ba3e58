import type { Messages } from "../en/index.ts";

export const serviceAccounts: Messages["serviceAccounts"] = {
  about:
    "Programme wie Deployment-Pipelines rufen die Management-API als Dienstkonto auf. Es bleibt bestehen, wenn die Person geht, die es angelegt hat.",
  new: "Neues Dienstkonto",
  create: "Dienstkonto anlegen",
  none: "Noch keine Dienstkonten",
  noneText: "Ein Dienstkonto für ein Programm anlegen, das Flags ändert, danach ein Token dafür.",
  search: "Dienstkonten suchen",
  back: "Dienstkonten",
  nameHint: "Das Programm, etwa „Deployment“.",
  role: "Rolle",
  project: "Projekt",
  projectHint: "Das Konto sieht nur dieses Projekt. Das lässt sich später nicht ändern.",
  allProjectsHint: "Mit „Alle Projekte“ gilt die Rolle in jedem Projekt.",
  allProjects: "Alle Projekte",
  created: "Angelegt",
  editOne: "{{name}} bearbeiten",
  saved: "{{name}} gespeichert",
  roleNow: "Eine neue Rolle gilt sofort auch für vorhandene Token.",
  quota: "Die Höchstzahl an Dienstkonten ist erreicht. Zuerst eines löschen.",
  deleteOne: "{{name}} löschen",
  deleteAsk: "„{{name}}“ löschen?",
  deleteText:
    "Alle Token des Kontos werden widerrufen, Anfragen damit mit 401 abgelehnt. Frühere Aktionen bleiben im Audit-Log. Das lässt sich nicht rückgängig machen.",
  delete: "Dienstkonto löschen",
  deleted: "{{name}} gelöscht",
};
