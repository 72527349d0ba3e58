import { evaluatedValue, openFeatureCall, reactCall, reactHook, unleashLines } from "./calls.ts";
import { shell } from "./literals.ts";
import type { SnippetInput, Snippets } from "./types.ts";

/**
 * The code examples for an API key of type `FRONTEND`, which may be public. With this key, an SDK
 * can ask the service to evaluate flags, but cannot read the rules.
 */
export const frontendSnippets = ({ url, apiKey, ...flag }: SnippetInput): Snippets => ({
  openfeature: `// npm install @openfeature/web-sdk @openfeature/core @openfeature/ofrep-web-provider
import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { OpenFeature } from "@openfeature/web-sdk";

const provider = new OFREPWebProvider({
  baseUrl: "${url}/api",
  headers: [["Authorization", "Bearer ${apiKey}"]],
  pollInterval: 30_000,
});
await OpenFeature.setProviderAndWait(provider, { targetingKey: "ann" });

const client = OpenFeature.getClient();
console.log(${openFeatureCall(flag)});
`,

  react: `// npm install @openfeature/react-sdk @openfeature/web-sdk @openfeature/core @openfeature/ofrep-web-provider
import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { OpenFeature, OpenFeatureProvider, ${reactHook(flag)} } from "@openfeature/react-sdk";
import { createRoot } from "react-dom/client";

const provider = new OFREPWebProvider({
  baseUrl: "${url}/api",
  headers: [["Authorization", "Bearer ${apiKey}"]],
  pollInterval: 30_000,
});
await OpenFeature.setProviderAndWait(provider, { targetingKey: "ann" });

function Page() {
  const value = ${reactCall(flag)};
  return <p>{JSON.stringify(value)}</p>;
}

createRoot(document.getElementById("root")!).render(
  <OpenFeatureProvider>
    <Page />
  </OpenFeatureProvider>,
);
`,

  unleash: `// npm install unleash-proxy-client
import { UnleashClient } from "unleash-proxy-client";

const unleash = new UnleashClient({
  url: "${url}/api/unleash/frontend",
  clientKey: "${apiKey}",
  appName: "my-app",
  context: { userId: "ann" },
});
await unleash.start();
${unleashLines(flag)}
`,

  curl: `# One flag, evaluated by the service for one user. Without toggles: every flag.
curl ${url}/api/client/evaluate \\
  --header "Authorization: Bearer ${apiKey}" \\
  --header "Content-Type: application/json" \\
  --data ${evaluated(flag.flagKey)}
`,

  typescript: evaluateInTypeScript({ url, apiKey, ...flag }),
});

/** The body of an evaluation of one flag for one user, as an argument in a shell. */
export const evaluated = (flagKey: string): string =>
  shell(JSON.stringify({ context: { userId: "ann" }, toggles: [flagKey] }));

/** The program that lets the service evaluate all flags. */
export const evaluateInTypeScript = ({ url, apiKey, ...flag }: SnippetInput): string =>
  `// Runs in browsers, and in Node: "npx tsx flags.ts", from 22.18 on "node flags.ts".
type Evaluations = Record<string, { enabled: boolean; reason: string; value?: unknown }>;

/** Evaluates every flag for one context. Call it again when the context changes, and every 30 s. */
async function evaluate(context: object): Promise<Evaluations> {
  const response = await fetch("${url}/api/client/evaluate", {
    method: "POST",
    headers: {
      Authorization: "Bearer ${apiKey}",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ context }),
  });
  if (!response.ok) throw new Error(\`Flags: \${response.status} \${await response.text()}\`);
  return (await response.json()).evaluations;
}

const flags = await evaluate({ userId: "ann" });
console.log(${evaluatedValue(flag)});

export {};
`;
