import type { SnippetInput, Snippets } from "./types.ts";

/**
 * The code examples for an API key of type `SERVER`. The SDK fetches the rules and evaluates flags in
 * the process. The other examples ask the service to evaluate a flag. The curl and TypeScript examples
 * also fetch the rules. If a flag has no targeting, the TypeScript example evaluates the flag itself.
 */
export const serverSnippets = ({ url, apiKey, flagKey }: SnippetInput): Snippets => ({
  openfeature: `// npm install @openfeature/server-sdk @openfeature/core @openfeature/ofrep-provider
import { OFREPProvider } from "@openfeature/ofrep-provider";
import { OpenFeature } from "@openfeature/server-sdk";

const provider = new OFREPProvider({
  baseUrl: "${url}/api",
  headers: [["Authorization", "Bearer ${apiKey}"]],
});
await OpenFeature.setProviderAndWait(provider);

const client = OpenFeature.getClient();
console.log(await client.getBooleanValue("${flagKey}", false, { targetingKey: "ann" }));
`,

  sdk: `// npm install @feature-flags/sdk
import { createClient } from "@feature-flags/sdk";

const client = createClient({
  url: "${url}",
  key: "${apiKey}",
  appName: "my-app",
});
await client.ready();

// A check reads memory. Changes arrive through a stream.
console.log(client.boolean("${flagKey}", false, { targetingKey: "ann" }));

// Sends the usage, and closes the stream. Call it before the process ends.
await client.close();
`,

  unleash: `// npm install unleash-client
import { startUnleash } from "unleash-client";

const unleash = await startUnleash({
  url: "${url}/api/unleash",
  appName: "my-app",
  customHeaders: { Authorization: "${apiKey}" },
});
console.log(unleash.isEnabled("${flagKey}", { userId: "ann" }));
unleash.destroy();
`,

  curl: `# All rules of the environment. Called again, it returns 304 until a rule changes.
curl ${url}/api/client/features \\
  --header "Authorization: Bearer ${apiKey}" \\
  --etag-compare flags.etag --etag-save flags.etag

# One flag, evaluated by the service for one user.
curl ${url}/api/client/evaluate \\
  --header "Authorization: Bearer ${apiKey}" \\
  --header "Content-Type: application/json" \\
  --data '{"context": {"userId": "ann"}, "toggles": ["${flagKey}"]}'
`,

  typescript: `// flags.ts: run it with "npx tsx flags.ts", or from Node 22.18 on with "node flags.ts".
const url = "${url}/api/client";
const headers = {
  Authorization: "Bearer ${apiKey}",
  "X-App-Name": "my-app",
  "X-Instance-Id": crypto.randomUUID(),
};

interface Rule {
  key: string;
  enabled: boolean;
  activation: { rollOut: number; constraints: unknown[]; segments: unknown[] };
}

let rules = new Map<string, Rule>();
let etag = "";

/** Fetches the rules if they have changed since the last request. */
async function poll(): Promise<void> {
  const response = await fetch(\`\${url}/features\`, {
    headers: { ...headers, ...(etag !== "" && { "If-None-Match": etag }) },
  });
  if (response.status === 304) return;
  if (!response.ok) throw new Error(\`Flags: \${response.status} \${await response.text()}\`);
  const list = (await response.json()) as Rule[];
  rules = new Map(list.map((rule) => [rule.key, rule]));
  etag = response.headers.get("ETag") ?? "";
}

/** Evaluates flags without targeting here. The service evaluates flags with targeting. */
export async function isEnabled(flagKey: string, context: object): Promise<boolean> {
  const rule = rules.get(flagKey);
  if (!rule?.enabled) return false;
  const { rollOut, constraints, segments } = rule.activation;
  if (rollOut === 100 && constraints.length + segments.length === 0) return true;
  const response = await fetch(\`\${url}/evaluate\`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ context, toggles: [flagKey] }),
  });
  if (!response.ok) throw new Error(\`Flags: \${response.status} \${await response.text()}\`);
  const { evaluations } = await response.json();
  return evaluations[flagKey].enabled;
}

await poll();
setInterval(() => poll().catch(console.error), 30_000);

console.log(await isEnabled("${flagKey}", { userId: "ann" }));
`,
});
