import type { Translated } from "../translated.ts";
import type { environments as english } from "../en/environments.ts";

export const environments = {
  about:
    "Wo die Anwendung läuft, in der Reihenfolge einer Veröffentlichung. Ein Flag ist in jeder Umgebung für sich ein- oder ausgeschaltet.",
  new: "Neue Umgebung",
  create: "Umgebung anlegen",
  none: "Noch keine Umgebungen",
  noneText:
    "Eine Umgebung ist ein Ort, an dem die Anwendung läuft, etwa „development“, „staging“ und „production“. Zuerst eine anlegen, dann einen API-Schlüssel für sie.",
  nameHint:
    "Zum Beispiel „staging“. Wo es um Kundschaft geht, sollte der Name mit „production“ oder „live“ beginnen: Änderungen werden dann erst nach Rückfrage gemacht.",
  nameInUse: "Eine andere Umgebung dieses Projekts heißt schon so",
  flagsOn: "Flags an",
  onOf: "{{on}} von {{flags}}",
  revision: "Revision",
  rules: "Größe der Regeln",
  rulesOf: "{{size}} von {{limit}}",
  rulesHint:
    "<term>Größe der Regeln</term> ist die Größe aller Bedingungen dort und jedes Segments, so oft Flags es verwenden. Eine Änderung, die das Limit überschreiten würde, wird abgelehnt.",
  keys_one: "{{count}} Schlüssel",
  keys_other: "{{count}} Schlüssel",
  production: "Produktion",
  productionHint:
    "<term>Produktion</term> ist jede Umgebung, deren Name mit dem Wort „prod“, „production“ oder „live“ beginnt. Änderungen dort erreichen die Kundschaft und werden deshalb erst nach Rückfrage gemacht.",
  revisionHint:
    "<term>Revision</term> wächst mit jeder Änderung, die dort ein Ergebnis ändern kann, um eins. SDKs melden, welche sie haben.",
  rename: "Umbenennen",
  renameOne: "{{name}} umbenennen",
  renameHint:
    "Schlüssel und SDKs arbeiten weiter wie bisher. Ob sie Produktion ist, richtet sich nach dem neuen Namen.",
  delete: "Umgebung löschen",
  deleteOne: "{{name}} löschen",
  deleteAsk: "„{{name}}“ löschen?",
  deleted: "„{{name}}“ ist gelöscht",
  deleteText:
    "Mit ihr verschwindet, wie jedes Flag in dieser Umgebung eingestellt ist: ein oder aus, Rollout, Bedingungen und Segmente. Auch ihre Nutzungszahlen verschwinden. Das lässt sich nicht rückgängig machen.",
  keysLeft_one:
    "Sie hat noch {{count}} API-Schlüssel. Dieser muss zuerst widerrufen werden: SDKs mit ihm erhalten dann 401 statt Änderungen und arbeiten mit den Regeln weiter, die sie haben.",
  keysLeft_other:
    "Sie hat noch {{count}} API-Schlüssel. Diese müssen zuerst widerrufen werden: SDKs mit ihnen erhalten dann 401 statt Änderungen und arbeiten mit den Regeln weiter, die sie haben.",
  toKeys: "Zu ihren API-Schlüsseln",
} satisfies Translated<typeof english>;
