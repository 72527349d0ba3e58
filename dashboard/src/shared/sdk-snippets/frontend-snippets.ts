import type { SnippetInput, Snippets } from "./types.ts";

/**
 * The code examples for an API key of type `FRONTEND`, which may be public. With this key, an SDK
 * can ask the service to evaluate flags, but cannot read the rules.
 */
export const frontendSnippets = ({ url, apiKey, flagKey }: SnippetInput): Snippets => ({
  curl: `# One flag, evaluated by the service for one user. Without toggles: every flag.
curl ${url}/api/client/evaluate \\
  --header "Authorization: Bearer ${apiKey}" \\
  --header "Content-Type: application/json" \\
  --data '{"context": {"userId": "ann"}, "toggles": ["${flagKey}"]}'
`,

  typescript: `// Runs in browsers, and in Node: "npx tsx flags.ts", from 22.18 on "node flags.ts".
type Evaluations = Record<string, { enabled: boolean; reason: string }>;

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
console.log(flags["${flagKey}"]?.enabled ?? false);

export {};
`,

  openfeature: `// npm install @openfeature/web-sdk @openfeature/core
import {
  FlagNotFoundError,
  OpenFeature,
  OpenFeatureEventEmitter,
  ProviderEvents,
  TypeMismatchError,
  type EvaluationContext,
  type Provider,
  type ResolutionDetails,
} from "@openfeature/web-sdk";

class FlagProvider implements Provider {
  readonly runsOn = "client";
  readonly metadata = { name: "feature-flags" };
  readonly events = new OpenFeatureEventEmitter();
  private flags: Record<string, { enabled: boolean; reason: string }> = {};
  private context: EvaluationContext = {};
  private timer?: ReturnType<typeof setInterval>;

  async initialize(context: EvaluationContext = {}): Promise<void> {
    await this.load(context);
    this.timer = setInterval(() => void this.reload(), 30_000);
  }

  onContextChange(_old: EvaluationContext, context: EvaluationContext): Promise<void> {
    return this.load(context);
  }

  async onClose(): Promise<void> {
    clearInterval(this.timer);
  }

  resolveBooleanEvaluation(flagKey: string): ResolutionDetails<boolean> {
    const flag = this.flags[flagKey];
    if (!flag) throw new FlagNotFoundError(flagKey);
    return { value: flag.enabled, variant: flag.enabled ? "on" : "off", reason: flag.reason };
  }

  // Flags are boolean: the SDK returns the default value for other types.
  resolveStringEvaluation(): never {
    throw new TypeMismatchError("Flags are boolean");
  }
  resolveNumberEvaluation(): never {
    throw new TypeMismatchError("Flags are boolean");
  }
  resolveObjectEvaluation(): never {
    throw new TypeMismatchError("Flags are boolean");
  }

  private async load(context: EvaluationContext): Promise<void> {
    this.context = context;
    const response = await fetch("${url}/api/client/evaluate", {
      method: "POST",
      headers: {
        Authorization: "Bearer ${apiKey}",
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ context }),
    });
    if (!response.ok) throw new Error(\`Flags: \${response.status} \${await response.text()}\`);
    const { evaluations } = await response.json();
    // Ignore the response if the context has changed since the request.
    if (context === this.context) this.flags = evaluations;
  }

  private async reload(): Promise<void> {
    const before = JSON.stringify(this.flags);
    // After an error, the provider keeps the flags of the last response.
    await this.load(this.context).catch(console.error);
    if (JSON.stringify(this.flags) !== before)
      this.events.emit(ProviderEvents.ConfigurationChanged);
  }
}

await OpenFeature.setProviderAndWait(new FlagProvider(), { targetingKey: "ann" });
const client = OpenFeature.getClient();

console.log(client.getBooleanValue("${flagKey}", false));
`,
});
