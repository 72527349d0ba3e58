import type { Translated } from "../translated.ts";
import type { flagPage as english } from "../en/flagPage.ts";

export const flagPage = {
  sections: "Bereiche des Flags",
  targeting: "Zielgruppe",
  usage: "Nutzung",
  history: "Verlauf",
  unsaved: "Ungespeicherte Änderungen",
  conflict: "Jemand anderes hat das geändert",
  lastChanged: "Zuletzt geändert von {{who}}, <time/>",
  playground: "Playground",
  alsoTurnOn: "Das Flag in {{environment}} auch einschalten",
  alsoTurnOnHint: "Es ist jetzt aus.",
  helpFor: "Hilfe: {{field}}",
} satisfies Translated<typeof english>;
