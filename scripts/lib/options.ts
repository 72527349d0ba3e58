import path from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./processes.ts";

const DEFAULT_PORT = 8787;
const DEFAULT_STATE = ".wrangler/state";
const ANY_ADDRESS = new Set(["0.0.0.0", "::", "*"]);

export interface StartOptions {
  readonly port: number;
  /** The URL of the service, without a trailing slash. */
  readonly address: string;
  readonly persistTo: string;
  /** The variables given as `--var NAME:value`. */
  readonly vars: Readonly<Record<string, string>>;
  /** All arguments for `wrangler dev`, including the port and the directory of the local data. */
  readonly wranglerArgs: readonly string[];
}

/** Reads the arguments of `npm start`. All of them go to `wrangler dev`. */
export function parseOptions(argv: readonly string[]): StartOptions {
  const given = argv[0] === "--" ? argv.slice(1) : [...argv];
  const { values, positionals } = parseArgs({
    args: given,
    strict: false,
    options: {
      port: { type: "string", default: String(DEFAULT_PORT) },
      ip: { type: "string", default: "localhost" },
      "local-protocol": { type: "string", default: "http" },
      "persist-to": { type: "string", default: DEFAULT_STATE },
      var: { type: "string", multiple: true, default: [] },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`--port must be a number from 1 to 65535, not ${String(values.port)}`);
  const host = ANY_ADDRESS.has(String(values.ip)) ? "localhost" : String(values.ip);
  const persistTo = path.resolve(ROOT, String(values["persist-to"]));
  return {
    port,
    address: `${String(values["local-protocol"])}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    persistTo,
    vars: variablesOf(values.var, positionals),
    wranglerArgs: [
      ...given,
      // Passes the default port explicitly. Without `--port`, wrangler silently takes a different
      // port when the default port is in use.
      ...(has(given, "port") ? [] : ["--port", String(port)]),
      ...(has(given, "persist-to") ? [] : ["--persist-to", persistTo]),
    ],
  };
}

/**
 * Returns the variables that are given as `--var NAME:value`. Wrangler accepts several variables
 * after one `--var`; `parseArgs` returns all but the first as `positionals`.
 */
export function variablesOf(
  given: string | boolean | readonly (string | boolean)[] = [],
  positionals: readonly string[],
): Record<string, string> {
  return Object.fromEntries([...[given].flat(), ...positionals].map((one) => pair(String(one))));
}

function pair(text: string): [string, string] {
  const colon = text.indexOf(":");
  return colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
}

const has = (args: readonly string[], name: string) =>
  args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
