import type { Messages } from "../en/index.ts";

export const start: Messages["start"] = {
  title: "Erste Schritte",
  description: "In fünf Schritten vom leeren Projekt zum ersten Flag.",
  done: "(erledigt)",
  steps: {
    environments: {
      title: "Umgebungen anlegen",
      text: "Ein Flag wird in jeder Umgebung einzeln eingeschaltet: erst in der Entwicklung, später in der Produktion.",
    },
    flag: {
      title: "Erstes Flag anlegen",
      text: "Ein Flag steuert eine Änderung, die ohne neues Release eingeschaltet werden soll.",
    },
    on: {
      title: "Einschalten",
      text: "Neue Flags sind überall aus. In einer Umgebung ohne Kunden kann es für alle eingeschaltet werden.",
    },
    key: {
      title: "API-Schlüssel anlegen",
      text: "Damit wertet die Anwendung die Flags einer Umgebung aus.",
    },
    call: {
      title: "Flag auswerten",
      text: "Die API mit dem Schlüssel aufrufen, wie es die Anwendung tun wird.",
    },
  },
  createEnvironments: "development und production anlegen",
  flagName: "Neue Kasse",
  isOn: "Ein in {{environment}}",
  switchOn: "„{{flag}}“ in {{environment}} einschalten",
  keyName: "Erster Schlüssel",
  whoAsks: "Art des Schlüssels",
  createKey: "Schlüssel für {{environment}} anlegen",
  runHere: "Auf dieser Seite auswerten",
  answerOn: "„{{flag}}“ ist ein.",
  answerOff:
    "„{{flag}}“ ist aus. Wurde es gerade eingeschaltet, kommt die Änderung innerhalb von 30 Sekunden an.",
  orInCode: "Oder im eigenen Code:",
  withYourKey: "Den eigenen Schlüssel einsetzen und den Code ausführen:",
  withYourKeyOrAnother:
    "Den eigenen Schlüssel einsetzen und den Code ausführen. Fehlt er, <another>einen neuen anlegen</another>.",
  yourKey: "API-SCHLUESSEL",
  waiting: "Warten auf den ersten Aufruf … Er erscheint hier nach wenigen Sekunden.",
  called: "Erster Aufruf empfangen",
  adminEnvironments: "Umgebungen kann die Administration anlegen.",
  adminKey: "API-Schlüssel kann die Administration anlegen.",
  developerFlag: "Diese Rolle darf nur lesen. Flags können Entwicklung und Administration anlegen.",
  developerSwitch:
    "Diese Rolle darf nur lesen. Flags können Entwicklung und Administration einschalten.",
  allDone: "Das erste Flag funktioniert",
  allDoneText:
    "Als Nächstes: an einige Nutzer ausrollen, im Playground testen oder ein weiteres Flag anlegen.",
  toFlag: "„{{flag}}“ öffnen",
  toPlayground: "Playground öffnen",
  toFlags: "Alle Flags",
  hintTitle: "Dieses Projekt ist leer",
  hintText: "In fünf kurzen Schritten zum ersten Flag.",
  hintAction: "Erste Schritte",

  snippetLanguages: "Sprache des Beispiels",
  snippets: {
    openfeature: "OpenFeature",
    react: "React",
    python: "Python",
    go: "Go",
    sdk: "SDK",
    unleash: "Unleash",
    curl: "curl",
    typescript: "TypeScript",
  },
  openfeatureHint:
    "OpenFeature hat SDKs für viele Sprachen. Ihr OFREP-Provider braucht die Basis-URL {{url}} und diesen Schlüssel als Bearer-Token.",
  openfeatureDocs: "Beispiele für Web, React, Node, Python und Go (englisch)",
  sdkHint:
    "Das SDK für Node, Deno, Bun und Workers wertet Flags im eigenen Prozess aus, ohne auf das Netz zu warten.",
  unleashHint:
    "Mit Unleash-SDKs: Eine Anwendung mit einem SDK von Unleash braucht nur die URL {{url}} und diesen Schlüssel als Token. Für SDKs, die die Form des Tokens prüfen, „*:production.“ vor den Schlüssel setzen.",
  unleashDocs: "In vier Schritten von Unleash umziehen (englisch)",
  copyCode: "Code kopieren",
  serverKeyHint:
    "Ein Server-Schlüssel liest alle Regeln. Er bleibt geheim: nie in einem Browser oder Repository ablegen.",
  frontendKeyHint:
    "Ein Frontend-Schlüssel kann nur Flags auswerten und Nutzung melden. Er darf mit der App veröffentlicht werden.",
};
