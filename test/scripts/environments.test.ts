import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { ENVIRONMENTS, withEnvironments } from "../../scripts/lib/environments.ts";

const config = path.resolve(import.meta.dirname, "../../wrangler.toml");
const file = readFileSync(config, "utf8");

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

describe("npm run environments", () => {
  it("leaves an up-to-date wrangler.toml unchanged", () => {
    expect(withEnvironments(file)).toBe(file);
  });

  it("copies a new binding, variable or setting to every environment", () => {
    const wanted = withEnvironments(
      file
        .replace("[vars]\n", '[[kv_namespaces]]\nbinding = "MORE"\n\n[vars]\n# Why.\nNEW = "1"\n')
        .replace("max_batch_size = 5\n", "max_batch_size = 6\n"),
    );
    for (const env of ENVIRONMENTS) {
      expect(wanted).toContain(`[[env.${env}.kv_namespaces]]\nbinding = "MORE"\n`);
      expect(wanted).toContain(`[env.${env}.vars]\nNEW = "1"\n`);
    }
    expect(wanted.match(/^max_batch_size = 6$/gm)).toHaveLength(3);
  });

  it("removes a variable that the top level no longer has", () => {
    const wanted = withEnvironments(file.replace(/^QUOTA_USERS = .*\n/m, ""));
    expect(wanted).not.toContain("QUOTA_USERS");
  });

  it("keeps the values, routes and sections that only one environment has", () => {
    const mine = withEnvironments(file)
      .replace(
        "[env.production]\n",
        '[env.production]\nroutes = [{ pattern = "flags.example.com", custom_domain = true }]\n\n' +
          "[env.production.limits]\ncpu_ms = 1000\n",
      )
      .replace(/(\[env\.production\.vars\][^[]*)MAIL_FROM = .*/, '$1MAIL_FROM = "me@example.org"');
    expect(mine).not.toBe(file);
    expect(withEnvironments(mine)).toBe(mine);
  });
});
