import { parseArgs } from "node:util";
import { unstable_readConfig as readConfig } from "wrangler";
import { variablesOf } from "./options.ts";
import type { Variables } from "./processes.ts";

/** The parts of `wrangler.toml` that a deployment reads. */
interface Config {
  readonly name?: string;
  readonly account_id?: string;
  readonly definedEnvironments?: readonly string[];
  readonly d1_databases: readonly {
    readonly binding: string;
    readonly database_name?: string;
    readonly database_id?: string;
  }[];
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets?: { readonly required?: readonly string[] };
}

/** The target of a deployment. */
export interface Target {
  readonly env: string | undefined;
  readonly config: Config;
  /** The arguments that select environment, configuration and account in every wrangler command. */
  readonly where: readonly string[];
}

export interface DeployOptions {
  /** The arguments for `wrangler deploy`. */
  readonly given: readonly string[];
  readonly target: Target;
  readonly dryRun: boolean;
  readonly secretsFile: string | undefined;
  /** The variables given as `--var NAME:value`. */
  readonly variables: Variables;
}

/**
 * Reads the arguments of a deployment. Throws: an Error when wrangler.toml lacks the environment
 * that `--env` names.
 */
export function readOptions(argv: readonly string[]): DeployOptions {
  const given = argv[0] === "--" ? argv.slice(1) : [...argv];
  const { values, positionals } = parseArgs({
    args: given,
    strict: false,
    options: {
      env: { type: "string", short: "e" },
      config: { type: "string", short: "c" },
      profile: { type: "string" },
      "dry-run": { type: "boolean" },
      "secrets-file": { type: "string" },
      var: { type: "string", multiple: true },
    },
  });
  const text = (value?: string | boolean) => (value === undefined ? undefined : String(value));
  const [env, config, profile] = [values.env, values.config, values.profile].map(text);
  return {
    given,
    target: targetOf({ env, config, profile }),
    dryRun: values["dry-run"] === true,
    secretsFile: text(values["secrets-file"]),
    variables: variablesOf(values.var, positionals),
  };
}

/**
 * Returns the target of a deployment. Throws: an Error when wrangler.toml lacks the environment
 * that `--env` names.
 */
function targetOf(names: {
  readonly env: string | undefined;
  readonly config?: string | undefined;
  readonly profile?: string | undefined;
}): Target {
  const { env, config: file } = names;
  const { definedEnvironments: known = [] } = read({ config: file });
  if (env !== undefined && !known.includes(env))
    throw new Error(`wrangler.toml has no environment ${env}, only ${known.join(" and ")}`);
  const where = Object.entries(names).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return { env, config: read({ env, config: file }), where };
}

const read = (args: { readonly env?: string | undefined; readonly config: string | undefined }) =>
  readConfig(args, { hideWarnings: true }) as Config;
