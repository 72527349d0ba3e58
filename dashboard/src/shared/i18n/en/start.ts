/** The texts of the guided start and of the code examples. */
export const start = {
  title: "Get started",
  description: "From an empty project to the first flag that answers, in five steps.",
  done: "(done)",
  steps: {
    environments: {
      title: "Create environments",
      text: "A flag is switched for each environment on its own: on in development first, later in production.",
    },
    flag: {
      title: "Create the first flag",
      text: "One flag stands for one change that you want to switch on without a release.",
    },
    on: {
      title: "Switch it on",
      text: "New flags are off everywhere. Where there are no customers, switch it on for everybody.",
    },
    key: {
      title: "Create an API key",
      text: "With it, your application asks for the flags of one environment.",
    },
    call: {
      title: "Ask for the flag",
      text: "Evaluate the flag with the key, as your application will.",
    },
  },
  createEnvironments: "Create development and production",
  flagName: "New checkout",
  isOn: "On in {{environment}}",
  switchOn: "Switch “{{flag}}” on in {{environment}}",
  keyName: "First key",
  whoAsks: "Who asks?",
  createKey: "Create a key for {{environment}}",
  runHere: "Ask from this page",
  answerOn: "“{{flag}}” is on.",
  answerOff: "“{{flag}}” is off. If it has just been switched on, that arrives within 30 seconds.",
  orInCode: "Or from your own code:",
  withYourKey: "Put your key in its place, and run it:",
  withYourKeyOrAnother:
    "Put your key in its place, and run it. If you have not kept it, <another>create another one</another>.",
  yourKey: "YOUR-API-KEY",
  waiting: "Waiting for the first call … It shows here a few seconds after it was made.",
  called: "The first call has arrived",
  adminEnvironments: "An administrator creates the environments of a project.",
  adminKey: "An administrator creates the API keys of a project.",
  developerFlag: "Your role reads. Developers and administrators create flags.",
  developerSwitch: "Your role reads. Developers and administrators switch flags.",
  allDone: "The flag answers",
  allDoneText:
    "Everything is in place. Next, give the flag to a few users first, try who gets it, or create another flag.",
  toFlag: "Open “{{flag}}”",
  toPlayground: "Try who gets it",
  toFlags: "All flags",
  hintTitle: "This project is still empty",
  hintText: "Five short steps lead to the first flag that answers.",
  hintAction: "Get started",

  snippetLanguages: "Language of the example",
  snippets: { openfeature: "OpenFeature", sdk: "SDK", curl: "curl", typescript: "TypeScript" },
  openfeatureHint:
    "OpenFeature has SDKs for many languages. Their OFREP provider takes the base URL {{url}} and this key as the bearer token.",
  openfeatureDocs: "Examples for web, React, Node, Python and Go",
  sdkHint:
    "The SDK for Node, Deno, Bun and Workers evaluates flags in your process. A check does not wait for the network.",
  copyCode: "Copy code",
  serverKeyHint:
    "A server key reads all rules and may change roll-outs. Keep it secret: never in a browser, never in a repository.",
  frontendKeyHint:
    "A frontend key only asks for verdicts and reports usage, so that it may be published with your app.",
} as const;
