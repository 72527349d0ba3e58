import { goCall, openFeatureCall, pythonCall, sdkCall, unleashLines } from "./calls.ts";
import { evaluated, evaluateInTypeScript } from "./frontend-snippets.ts";
import { javascript } from "./literals.ts";
import type { SnippetInput, Snippets } from "./types.ts";

/**
 * The code examples for an API key of type `SERVER`. The SDK fetches the rules and evaluates flags in
 * the process. The other examples ask the service to evaluate a flag. The curl and TypeScript examples
 * also fetch the rules. If a boolean flag has no targeting, the TypeScript example evaluates the flag
 * itself.
 */
export const serverSnippets = ({ url, apiKey, ...flag }: SnippetInput): Snippets => ({
  openfeature: `// npm install @openfeature/server-sdk @openfeature/core @openfeature/ofrep-provider
import { OFREPProvider } from "@openfeature/ofrep-provider";
import { OpenFeature } from "@openfeature/server-sdk";

const provider = new OFREPProvider({
  baseUrl: "${url}/api",
  headers: [["Authorization", "Bearer ${apiKey}"]],
});
await OpenFeature.setProviderAndWait(provider);

const client = OpenFeature.getClient();
console.log(await ${openFeatureCall(flag, '{ targetingKey: "ann" }')});
`,

  python: `# pip install "openfeature-sdk>=0.10" "openfeature-provider-ofrep>=0.3"
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

provider = OFREPProvider(
    "${url}/api",
    headers_factory=lambda: {"Authorization": "Bearer ${apiKey}"},
)
api.set_provider_and_wait(provider)

client = api.get_client()
user = EvaluationContext("ann")

print(${pythonCall(flag)})
`,

  go: `// go get github.com/open-feature/go-sdk github.com/open-feature/go-sdk-contrib/providers/ofrep
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/open-feature/go-sdk-contrib/providers/ofrep"
	"github.com/open-feature/go-sdk/openfeature"
)

func main() {
	provider := ofrep.NewProvider(
		"${url}/api",
		ofrep.WithBearerToken("${apiKey}"),
	)
	if err := openfeature.SetProviderAndWait(provider); err != nil {
		log.Fatal(err)
	}
	client := openfeature.NewClient("my-app")
	user := openfeature.NewEvaluationContext("ann", nil)

	value, err := ${goCall(flag)}
	fmt.Println(value, err)
}
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
console.log(${sdkCall(flag)});

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
${unleashLines(flag, '{ userId: "ann" }')}
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
  --data ${evaluated(flag.flagKey)}
`,

  typescript:
    flag.valueType === "boolean"
      ? pollInTypeScript({ url, apiKey, ...flag })
      : evaluateInTypeScript({ url, apiKey, ...flag }),
});

/** The program that fetches the rules, and evaluates flags without targeting itself. */
const pollInTypeScript = ({ url, apiKey, flagKey }: SnippetInput): string =>
  `// flags.ts: run it with "npx tsx flags.ts", or from Node 22.18 on with "node flags.ts".
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

console.log(await isEnabled(${javascript(flagKey)}, { userId: "ann" }));
`;
