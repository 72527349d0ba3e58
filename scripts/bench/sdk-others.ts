import { createClient, type Snapshot } from "@feature-flags/sdk";
import { FeatureFlagsProvider } from "@feature-flags/sdk/openfeature";
import { OpenFeature, type Provider } from "@openfeature/server-sdk";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";

// The second part of `npm run bench:sdk` compares the SDK with the SDKs of other services, in one
// process and on the same rules. It installs them into a temporary folder, without their install
// scripts, so it needs a package registry. No client sends or fetches anything. Times are CPU times.

const OTHERS = {
  "unleash-client": "6.12.1",
  "@launchdarkly/node-server-sdk": "9.13.7",
  "@launchdarkly/openfeature-node-server": "1.3.6",
  "@openfeature/core": "1.12.0",
  "@openfeature/flagd-core": "4.0.1",
  "@openfeature/server-sdk": "1.23.0",
  "@growthbook/growthbook": "1.8.0",
};

const FLAGS = 5_000;
const USERS = 1_000;
const CHECKS = 20_000;
const ROUNDS = 8;

/** What a flag needs to be on. All flags of a kind differ only in their key and in one value. */
const KINDS = ["constraint", "roll-out", "segment"] as const;
type Kind = (typeof KINDS)[number];
interface Flag {
  readonly key: string;
  readonly kind: Kind;
  readonly countries: readonly string[];
}

const flags: readonly Flag[] = Array.from({ length: FLAGS }, (_, n) => ({
  key: `flag-${n}`,
  kind: KINDS[n % KINDS.length] ?? "constraint",
  countries: ["DE", "FR", `X${n}`],
}));

interface User {
  readonly id: string;
  readonly country: string;
  readonly plan: string;
}

const users: readonly User[] = Array.from({ length: USERS }, (_, n) => ({
  id: `user-${n}`,
  country: n % 2 === 0 ? "DE" : "US",
  plan: n % 4 < 2 ? "pro" : "free",
}));

/** A client with its rules. The contexts are made before the measurement, in the client's form. */
interface Client<C> {
  readonly contextOf: (user: User) => C;
  readonly check: (key: string, context: C) => boolean | Promise<boolean>;
  readonly close: () => unknown;
}

const targeted = ({ id, country, plan }: User) => ({ targetingKey: id, country, plan });

const condition = (field: string, values: readonly string[]) => ({
  field,
  operator: "in",
  values,
  contextType: "string",
});

const conditionsOf = ({ kind, countries }: Flag) => [
  ...(kind === "roll-out" ? [] : [condition("country", countries)]),
  ...(kind === "segment" ? [condition("plan", ["pro", "team"])] : []),
];

function optionsOfOurs() {
  const rules: Snapshot["rules"] = flags.map((flag) => ({
    key: flag.key,
    name: flag.key,
    enabled: true,
    activation: {
      rollOut: flag.kind === "roll-out" ? 50 : 100,
      constraints: flag.kind === "constraint" ? conditionsOf(flag) : [],
      segments:
        flag.kind === "segment" ? [{ name: "payers", constraints: conditionsOf(flag) }] : [],
    },
  }));
  const headers = { "X-Revision": "1", "X-Next-Since": new Date(1).toISOString(), ETag: '"1-a"' };
  return {
    url: "https://flags.test",
    key: "key",
    fetch: async () => Response.json(rules, { headers }),
    updates: "manual",
    reportUsage: false,
  } as const;
}

async function ours(): Promise<Client<ReturnType<typeof targeted>>> {
  const client = createClient(optionsOfOurs());
  await client.ready();
  return {
    contextOf: targeted,
    check: (key, context) => client.boolean(key, false, context),
    close: () => client.close(),
  };
}

/** Returns a client of OpenFeature with a provider in a domain of its own. */
async function throughOpenFeature(
  domain: string,
  provider: Provider,
): Promise<Client<ReturnType<typeof targeted>>> {
  await OpenFeature.setProviderAndWait(domain, provider);
  const client = OpenFeature.getClient(domain);
  return {
    contextOf: targeted,
    check: (key, context) => client.getBooleanValue(key, false, context),
    close: () => provider.onClose?.(),
  };
}

const nothing = (): void => {};

async function unleash(load: NodeJS.Require): Promise<Client<object>> {
  const { Unleash, InMemStorageProvider } = load("unleash-client") as {
    Unleash: new (options: object) => {
      on: (event: string, listener: () => void) => void;
      once: (event: string, listener: () => void) => void;
      isEnabled: (key: string, context: object) => boolean;
      destroy: () => void;
    };
    InMemStorageProvider: new () => object;
  };
  const data = flags.map((flag) => ({
    name: flag.key,
    enabled: true,
    type: "release",
    project: "default",
    stale: false,
    variants: [],
    strategies: [
      {
        name: "flexibleRollout",
        parameters: {
          rollout: flag.kind === "roll-out" ? "50" : "100",
          stickiness: "default",
          groupId: flag.key,
        },
        constraints: conditionsOf(flag).map(({ field, values }) => ({
          contextName: field,
          operator: "IN",
          values,
        })),
      },
    ],
  }));
  const client = new Unleash({
    appName: "bench",
    // Nothing listens on this port: the client works with the bootstrap.
    url: "http://127.0.0.1:9/api",
    refreshInterval: 0,
    disableMetrics: true,
    storageProvider: new InMemStorageProvider(),
    bootstrap: { data },
  });
  client.on("error", nothing);
  client.on("warn", nothing);
  await new Promise<void>((resolve) => {
    client.once("synchronized", resolve);
  });
  return {
    contextOf: ({ id, country, plan }) => ({ userId: id, properties: { country, plan } }),
    check: (key, context) => client.isEnabled(key, context),
    close: () => client.destroy(),
  };
}

async function optionsOfLaunchDarkly(load: NodeJS.Require) {
  const { integrations } = load("@launchdarkly/node-server-sdk") as {
    integrations: {
      TestData: new () => {
        getFactory: () => unknown;
        usePreconfiguredFlag: (flag: object) => Promise<void>;
      };
    };
  };
  const data = new integrations.TestData();
  for (const flag of flags) {
    const clauses = conditionsOf(flag).map(({ field, values }) => ({
      attribute: field,
      op: "in",
      values,
    }));
    const half = [0, 1].map((variation) => ({ variation, weight: 50_000 }));
    void data.usePreconfiguredFlag({
      key: flag.key,
      version: 1,
      on: true,
      salt: flag.key,
      variations: [true, false],
      offVariation: 1,
      targets: [],
      prerequisites: [],
      rules: clauses.length > 0 ? [{ id: "rule", clauses, variation: 0 }] : [],
      fallthrough: flag.kind === "roll-out" ? { rollout: { variations: half } } : { variation: 1 },
    });
  }
  return {
    updateProcessor: data.getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
    logger: { error: nothing, warn: nothing, info: nothing, debug: nothing },
  };
}

async function launchDarkly(load: NodeJS.Require): Promise<Client<object>> {
  const { init } = load("@launchdarkly/node-server-sdk") as {
    init: (
      key: string,
      options: object,
    ) => {
      waitForInitialization: (options: object) => Promise<unknown>;
      boolVariation: (key: string, context: object, fallback: boolean) => Promise<boolean>;
      close: () => void;
    };
  };
  const client = init("key", await optionsOfLaunchDarkly(load));
  await client.waitForInitialization({ timeout: 60 });
  return {
    contextOf: ({ id, country, plan }) => ({ kind: "user", key: id, country, plan }),
    check: (key, context) => client.boolVariation(key, context, false),
    close: () => client.close(),
  };
}

async function launchDarklyProvider(load: NodeJS.Require) {
  const { LaunchDarklyProvider } = load("@launchdarkly/openfeature-node-server") as {
    LaunchDarklyProvider: new (key: string, options: object) => Provider;
  };
  const provider = new LaunchDarklyProvider("key", await optionsOfLaunchDarkly(load));
  return throughOpenFeature("launchdarkly", provider);
}

function flagd(load: NodeJS.Require): Client<ReturnType<typeof targeted>> {
  const { FlagdCore } = load("@openfeature/flagd-core") as {
    FlagdCore: new () => {
      setConfigurations: (json: string) => void;
      resolveBooleanEvaluation: (
        key: string,
        fallback: boolean,
        context: object,
      ) => { value: boolean };
    };
  };
  const targetingOf = (flag: Flag) =>
    flag.kind === "roll-out"
      ? {
          fractional: [
            ["on", 50],
            ["off", 50],
          ],
        }
      : {
          if: [
            {
              and: conditionsOf(flag).map(({ field, values }) => ({
                in: [{ var: field }, values],
              })),
            },
            "on",
            "off",
          ],
        };
  const definitions = flags.map((flag) => [
    flag.key,
    {
      state: "ENABLED",
      variants: { on: true, off: false },
      defaultVariant: "off",
      targeting: targetingOf(flag),
    },
  ]);
  const core = new FlagdCore();
  core.setConfigurations(JSON.stringify({ flags: Object.fromEntries(definitions) }));
  return {
    contextOf: targeted,
    check: (key, context) => core.resolveBooleanEvaluation(key, false, context).value,
    close: nothing,
  };
}

function growthBook(load: NodeJS.Require): Client<object> {
  const { GrowthBookClient } = load("@growthbook/growthbook") as {
    GrowthBookClient: new () => {
      initSync: (options: object) => void;
      isOn: (key: string, context: object) => boolean;
      destroy: () => void;
    };
  };
  const features = flags.map((flag) => {
    const conditions = conditionsOf(flag).map(({ field, values }) => [field, { $in: values }]);
    const rule =
      flag.kind === "roll-out"
        ? { force: true, coverage: 0.5, hashAttribute: "id" }
        : { force: true, condition: Object.fromEntries(conditions) };
    return [flag.key, { defaultValue: false, rules: [rule] }];
  });
  const client = new GrowthBookClient();
  client.initSync({ payload: { features: Object.fromEntries(features) } });
  return {
    contextOf: (user) => ({ attributes: { ...user } }),
    check: (key, context) => client.isOn(key, context),
    close: () => client.destroy(),
  };
}

/** Installs the other SDKs, calls `work` with a function that loads one, and deletes them. */
async function withOthers(work: (load: NodeJS.Require) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-flags-sdks-"));
  try {
    const manifest = path.join(folder, "package.json");
    writeFileSync(manifest, JSON.stringify({ private: true, dependencies: OTHERS }));
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    await work(createRequire(manifest));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

interface Contestant {
  readonly name: string;
  readonly isAsync: boolean;
  /** Checks one flag of the kind for all users in turn; `checks` is a multiple of their number. Returns how often it was on. */
  readonly run: (kind: Kind, checks: number) => number | Promise<number>;
  readonly close: () => unknown;
}

/** A flag of each kind, from the middle of the rules. */
const MEASURED: Readonly<Record<Kind, string>> = {
  constraint: "flag-2400",
  "roll-out": "flag-2401",
  segment: "flag-2402",
};

async function contestant<C>(name: string, client: Client<C>): Promise<Contestant> {
  const contexts = users.map((user) => client.contextOf(user));
  const { check } = client;
  const [first] = contexts;
  const isAsync = first !== undefined && check(MEASURED.constraint, first) instanceof Promise;
  const runAsync = async (kind: Kind, checks: number): Promise<number> => {
    let on = 0;
    for (let done = 0; done < checks; done += USERS)
      for (const context of contexts) if (await check(MEASURED[kind], context)) on++;
    return on;
  };
  const run = (kind: Kind, checks: number): number => {
    let on = 0;
    for (let done = 0; done < checks; done += USERS)
      for (const context of contexts) if (check(MEASURED[kind], context) === true) on++;
    return on;
  };
  return { name, isAsync, run: isAsync ? runAsync : run, close: () => client.close() };
}

/** The share of the users for whom a flag of each kind is on. A roll-out may be off by 5 %. */
const SHARES: Readonly<Record<Kind, number>> = { constraint: 0.5, "roll-out": 0.5, segment: 0.25 };

/** Throws unless every client has the rules, and evaluates them. */
async function verify({ name, run }: Contestant): Promise<void> {
  for (const kind of KINDS) {
    const share = (await run(kind, USERS)) / USERS;
    if (Math.abs(share - SHARES[kind]) > (kind === "roll-out" ? 0.05 : 0))
      throw new Error(`${name}: ${kind} is on for ${share * 100} % of the users`);
  }
}

await withOthers(async (load) => {
  const provider = new FeatureFlagsProvider(optionsOfOurs());
  const contestants = [
    await contestant("this SDK", await ours()),
    await contestant("unleash-client", await unleash(load)),
    await contestant("@growthbook/growthbook", growthBook(load)),
    await contestant("@openfeature/flagd-core", flagd(load)),
    await contestant("@launchdarkly/node-server-sdk", await launchDarkly(load)),
    await contestant("OpenFeature: this SDK", await throughOpenFeature("this", provider)),
    await contestant("OpenFeature: LaunchDarkly", await launchDarklyProvider(load)),
  ];
  for (const one of contestants) await verify(one);
  const best = new Map<string, number>();
  // Each round measures all clients, so that a busy moment of the machine does not hit only one.
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, run } of contestants)
      for (const kind of KINDS) {
        const start = cpuTime();
        await run(kind, CHECKS);
        const nanoseconds = ((cpuTime() - start) * 1000) / CHECKS;
        const id = `${name} ${kind}`;
        best.set(id, Math.min(best.get(id) ?? Infinity, nanoseconds));
      }
  const timeOf = (name: string, kind: Kind) => best.get(`${name} ${kind}`) ?? Number.NaN;
  console.log(`\nns per check, and how many times as long as this SDK, with ${FLAGS} rules`);
  console.log("".padEnd(34) + KINDS.map((kind) => kind.padStart(18)).join(""));
  for (const { name } of contestants) {
    const base = name.startsWith("OpenFeature") ? "OpenFeature: this SDK" : "this SDK";
    const cells = KINDS.map((kind) => {
      const time = timeOf(name, kind);
      return `${time.toFixed(0)} (${(time / timeOf(base, kind)).toFixed(1)})`.padStart(18);
    });
    console.log(name.padEnd(34) + cells.join(""));
  }
  for (const { close } of contestants) await close();
});
