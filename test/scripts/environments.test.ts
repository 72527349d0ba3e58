import path from "node:path";
import { describe, expect, it } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";

const config = path.resolve(import.meta.dirname, "../../wrangler.toml");
/**
 * The environments of wrangler.toml. An environment inherits neither bindings nor variables, so each
 * environment repeats the top-level sections.
 */
const ENVIRONMENTS = ["staging", "production"] as const;

interface Config {
  readonly name: string;
  readonly d1_databases: readonly { readonly database_name: string }[];
  readonly ratelimits: readonly {
    readonly name: string;
    readonly namespace_id: string;
    readonly simple: object;
  }[];
  readonly queues: {
    readonly producers: readonly { readonly queue: string }[];
    readonly consumers: readonly { readonly queue: string; readonly dead_letter_queue?: string }[];
  };
  readonly vars: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}

/** The secrets that a deployed Worker requires and a local Worker does not. */
const ONLY_DEPLOYED = new Set(["ACTUATOR_TOKEN"]);

const secretsOf = (all: Config) => (all["secrets"] as { required: readonly string[] }).required;

const read = (env?: string) => readConfig({ config, env }, { hideWarnings: true }) as Config;

/**
 * Returns the bindings and settings of an environment, with the resource names of the top level.
 * Leaves out the values of variables, because each environment has its own values.
 */
function given(env?: string) {
  const all = read(env);
  const text = JSON.stringify({
    databases: all.d1_databases,
    namespaces: all["kv_namespaces"],
    objects: all["durable_objects"],
    migrations: all["migrations"],
    queues: all.queues,
    limits: all.ratelimits.map(({ name, simple }) => ({ name, simple })),
    mail: all["send_email"],
    version: all["version_metadata"],
    assets: all["assets"],
    crons: all["triggers"],
    secrets: secretsOf(all).filter((name) => !ONLY_DEPLOYED.has(name)),
    variables: Object.keys(all.vars),
    flags: all["compatibility_flags"],
    observability: all["observability"],
  });
  return JSON.parse(text.replaceAll(`feature-flags-${env}`, "feature-flags")) as unknown;
}

const numbersOf = (env?: string) => read(env).ratelimits.map((limit) => limit.namespace_id);

describe("the environments staging and production", () => {
  it.each(ENVIRONMENTS)(
    "%s has the same bindings and settings as the top level of wrangler.toml, but its own resource names",
    (env) => {
      expect(given(env)).toEqual(given());
      const { name, d1_databases: databases } = read(env);
      expect(name).toBe(`feature-flags-${env}`);
      expect(databases[0]?.database_name).toBe(`feature-flags-${env}`);
    },
  );

  it.each(ENVIRONMENTS)(
    "%s has a producer for each consumed queue, so that a deployment creates the queue",
    (env) => {
      const { producers, consumers } = read(env).queues;
      const names = consumers.flatMap(({ queue, dead_letter_queue: dead }) => [
        queue,
        dead ?? queue,
      ]);
      expect(producers.map(({ queue }) => queue)).toEqual(expect.arrayContaining(names));
    },
  );

  it("have rate limit namespaces of their own", () => {
    const numbers = [undefined, ...ENVIRONMENTS].flatMap(numbersOf);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it("require ACTUATOR_TOKEN, which npm start does not require", () => {
    expect(secretsOf(read())).not.toContain("ACTUATOR_TOKEN");
    for (const env of ENVIRONMENTS) expect(secretsOf(read(env))).toContain("ACTUATOR_TOKEN");
  });

  it("set WEBHOOK_ALLOW_HTTP to false", () => {
    for (const env of ENVIRONMENTS) expect(read(env).vars["WEBHOOK_ALLOW_HTTP"]).toBe("false");
  });
});
