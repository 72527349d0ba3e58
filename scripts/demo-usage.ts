import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { DemoEnvironment } from "./demo-data.ts";
import type { Counts } from "./demo-history.ts";
import { type FlagCounts, variantUsage } from "./demo-variants.ts";
import { send } from "./lib/api.ts";
import type { DemoKey } from "./lib/demo-file.ts";
import { inOrder } from "./lib/in-order.ts";

/**
 * How often one SDK instance evaluated each flag without variants in 15 minutes. Flags with
 * variants are evaluated instead.
 */
type Evaluations = Readonly<Record<string, FlagCounts>>;

interface Instance {
  readonly environment: DemoEnvironment;
  readonly appName: string;
  readonly instanceId: string;
  readonly sdkVersion: string;
  /** Whether the SDK knows ordered rules. */
  readonly knowsRules: boolean;
  readonly evaluations: Evaluations;
}

/**
 * The SDK instances of the demo. None of them evaluates `pick-by-light`, so that the dashboard has
 * an unused flag to show.
 */
const INSTANCES: readonly Instance[] = [
  {
    environment: "production",
    appName: "web-shop",
    instanceId: "web-shop-6c9d7-h2x8k",
    sdkVersion: "node/1.4.0",
    knowsRules: true,
    evaluations: {
      "new-checkout": { t: 103, f: 311 },
      "express-delivery": { t: 198, f: 216 },
      "gift-cards": { t: 702, f: 281 },
      recommendations: { t: 1540, f: 1523 },
      "semantic-search": { t: 9, f: 871 },
      "dark-mode": { t: 61, f: 1948 },
      "winter-sale": { t: 0, f: 2009 },
      paypal: { t: 414, f: 0 },
      "order-emails": { t: 97, f: 0 },
      "guest-reviews": { t: 3, f: 356 },
      "gift-wrapping": { t: 98, f: 301 },
    },
  },
  {
    environment: "production",
    appName: "web-shop",
    instanceId: "web-shop-6c9d7-qm4tz",
    sdkVersion: "node/1.4.0",
    knowsRules: true,
    evaluations: {
      "new-checkout": { t: 98, f: 304 },
      "express-delivery": { t: 187, f: 215 },
      "gift-cards": { t: 689, f: 274 },
      recommendations: { t: 1487, f: 1502 },
      "semantic-search": { t: 8, f: 846 },
      "dark-mode": { t: 57, f: 1911 },
      "winter-sale": { t: 0, f: 1968 },
      paypal: { t: 402, f: 0 },
      "order-emails": { t: 91, f: 0 },
      "guest-reviews": { t: 2, f: 341 },
      "gift-wrapping": { t: 93, f: 296 },
    },
  },
  {
    environment: "production",
    appName: "mobile-api",
    instanceId: "mobile-api-84f5b-c7vwd",
    sdkVersion: "java/2.0.3",
    knowsRules: false,
    evaluations: {
      "new-checkout": { t: 38, f: 121 },
      "apple-pay": { t: 44, f: 115 },
      paypal: { t: 159, f: 0 },
      recommendations: { t: 633, f: 617 },
    },
  },
  {
    environment: "staging",
    appName: "web-shop",
    instanceId: "web-shop-staging-0",
    sdkVersion: "node/1.5.0-rc.1",
    knowsRules: true,
    evaluations: {
      "new-checkout": { t: 22, f: 0 },
      "express-delivery": { t: 14, f: 8 },
      "semantic-search": { t: 31, f: 0 },
      paypal: { t: 22, f: 0 },
    },
  },
];

/**
 * Fetches rules and reports usage for the demo's SDK instances, as SDKs do, so that the dashboard
 * has data. An SDK that does not know rules evaluates no flags with variants. Skips an instance
 * whose environment has no SERVER key in `keys`. Returns the sum of the reports of each environment.
 */
export async function reportUsage(
  address: string,
  keys: readonly DemoKey[],
): Promise<ReadonlyMap<DemoEnvironment, Counts>> {
  const reports = await inOrder(
    INSTANCES,
    async ({ environment, evaluations, ...instance }, index) => {
      const key = keys.find((one) => one.environment === environment && one.keyType === "SERVER");
      if (!key) return { environment, counts: {} };
      const client = {
        token: key.apiKey,
        headers: {
          "X-App-Name": instance.appName,
          "X-Instance-Id": instance.instanceId,
          "X-Sdk-Version": instance.sdkVersion,
          ...(instance.knowsRules && { "X-Sdk-Features": "rules" }),
        },
      };
      const { body: rules } = await send(`${address}/api/client/features`, client);
      const evaluated = instance.knowsRules ? variantUsage(rules as ClientRule[], index) : {};
      const counts: Counts = { ...evaluations, ...evaluated };
      await send(`${address}/api/client/metrics`, {
        ...client,
        method: "POST",
        body: { evaluations: counts },
      });
      return { environment, counts };
    },
  );
  const byEnvironment = Map.groupBy(reports, ({ environment }) => environment);
  return new Map(
    Array.from(byEnvironment, ([environment, some]) => [
      environment,
      sumOf(some.map(({ counts }) => counts)),
    ]),
  );
}

/** Adds the counts of several reports, flag by flag. */
function sumOf(reports: readonly Counts[]): Counts {
  const keys = new Set(reports.flatMap(Object.keys));
  return Object.fromEntries(
    Array.from(keys, (key) => {
      const all = reports.flatMap((report) => report[key] ?? []);
      const variants = all.flatMap(({ v = {} }) => Object.entries(v));
      const total = (pick: (one: FlagCounts) => number) =>
        all.reduce((sum, one) => sum + pick(one), 0);
      const v = Object.fromEntries(
        Array.from(
          Map.groupBy(variants, ([variant]) => variant),
          ([variant, some]) => [variant, some.reduce((sum, [, n]) => sum + n, 0)],
        ),
      );
      const counts = { t: total(({ t }) => t), f: total(({ f }) => f) };
      return [key, variants.length > 0 ? { ...counts, v } : counts];
    }),
  );
}
