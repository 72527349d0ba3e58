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
  nameHint: "Zum Beispiel „staging“. Schlüssel und SDKs hängen nicht vom Namen ab.",
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
  productionMeans:
    "Die Kundschaft nutzt diese Umgebung. Sie ist überall gekennzeichnet, und jede Änderung dort wird erst nach Rückfrage gemacht.",
  productionHint:
    "<term>Produktion</term> kennzeichnet die Umgebungen, die die Kundschaft nutzt. Änderungen dort werden erst nach Rückfrage gemacht.",
  revisionHint:
    "<term>Revision</term> wächst mit jeder Änderung, die dort ein Ergebnis ändern kann, um eins. SDKs melden, welche sie haben.",
  editOne: "{{name}} bearbeiten",
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
