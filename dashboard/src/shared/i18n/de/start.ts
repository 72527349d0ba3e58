import type { Translated } from "../translated.ts";
import type { start as english } from "../en/start.ts";

export const start = {
  title: "Erste Schritte",
  description: "Vom leeren Projekt zum ersten Flag, das antwortet, in fünf Schritten.",
  done: "(erledigt)",
  steps: {
    environments: {
      title: "Umgebungen anlegen",
      text: "Ein Flag wird für jede Umgebung eigens geschaltet: erst in der Entwicklung, später in der Produktion.",
    },
    flag: {
      title: "Das erste Flag anlegen",
      text: "Ein Flag steht für eine Änderung, die ohne neues Release eingeschaltet werden soll.",
    },
    on: {
      title: "Einschalten",
      text: "Neue Flags sind überall aus. Wo niemand Schaden nimmt, dürfen es gleich alle bekommen.",
    },
    key: {
      title: "Einen API-Schlüssel anlegen",
      text: "Damit fragt die Anwendung nach den Flags einer Umgebung.",
    },
    call: {
      title: "Nach dem Flag fragen",
      text: "Jetzt antwortet das Flag allen, die mit dem Schlüssel fragen.",
    },
  },
  createEnvironments: "development und production anlegen",
  flagName: "Neue Kasse",
  isOn: "Ein in {{environment}}",
  switchOn: "„{{flag}}“ in {{environment}} einschalten",
  keyName: "Erster Schlüssel",
  whoAsks: "Wer fragt?",
  createKey: "Schlüssel für {{environment}} anlegen",
  runHere: "Von dieser Seite aus fragen",
  answerOn: "„{{flag}}“ ist ein.",
  answerOff:
    "„{{flag}}“ ist aus. Wurde es eben erst eingeschaltet, kommt das innerhalb von 30 Sekunden an.",
  orInCode: "Oder aus dem eigenen Code:",
  withYourKey: "Den eigenen Schlüssel einsetzen und ausführen:",
  withYourKeyOrAnother:
    "Den eigenen Schlüssel einsetzen und ausführen. Ist er nicht mehr da, lässt sich <another>ein neuer anlegen</another>.",
  yourKey: "API-SCHLUESSEL",
  waiting: "Warten auf den ersten Aufruf … Er erscheint hier nach wenigen Sekunden.",
  called: "Der erste Aufruf ist angekommen",
  adminEnvironments: "Die Umgebungen eines Projekts legt jemand aus der Administration an.",
  adminKey: "Die API-Schlüssel eines Projekts legt jemand aus der Administration an.",
  developerFlag: "Diese Rolle liest nur. Flags legen Entwicklung und Administration an.",
  developerSwitch: "Diese Rolle liest nur. Flags schalten Entwicklung und Administration.",
  allDone: "Das Flag antwortet",
  allDoneText:
    "Alles ist bereit. Wie es weitergeht: das Flag erst wenigen geben, ausprobieren, wer es bekommt, oder das nächste anlegen.",
  toFlag: "„{{flag}}“ öffnen",
  toPlayground: "Ausprobieren, wer es bekommt",
  toFlags: "Alle Flags",
  hintTitle: "Dieses Projekt ist noch leer",
  hintText: "Fünf kurze Schritte führen zum ersten Flag, das antwortet.",
  hintAction: "Erste Schritte",

  snippetLanguages: "Sprache des Beispiels",
  snippets: { openfeature: "OpenFeature", sdk: "SDK", curl: "curl", typescript: "TypeScript" },
  openfeatureHint:
    "OpenFeature hat SDKs für viele Sprachen. Ihr OFREP-Provider braucht die Basis-URL {{url}} und diesen Schlüssel als Bearer-Token.",
  openfeatureDocs: "Beispiele für Web, React, Node, Python und Go (englisch)",
  sdkHint:
    "Das SDK für Node, Deno, Bun und Workers wertet Flags im eigenen Prozess aus. Eine Abfrage wartet nicht auf das Netz.",
  copyCode: "Code kopieren",
  serverKeyHint:
    "Ein Server-Schlüssel liest alle Regeln und darf Rollouts ändern. Er bleibt geheim: nie in einen Browser, nie in ein Repository.",
  frontendKeyHint:
    "Ein Frontend-Schlüssel fragt nur Ergebnisse ab und meldet die Nutzung. Er darf mit der App veröffentlicht werden.",
} satisfies Translated<typeof english>;
