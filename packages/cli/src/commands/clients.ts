import { clientsIn } from "../clients.ts";
import { confirmProduction } from "../confirm.ts";
import { connect } from "../connect.ts";
import { counted } from "../counted.ts";
import { Failure } from "../failure.ts";
import { didYouMean } from "../nearest.ts";
import type { ConnectionOptions } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import type { Flag } from "../types.ts";

interface Options extends ConnectionOptions {
  readonly reason?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** The most flags in one request (docs/use/api.md, Limits). */
const MAX_FLAGS = 200;

const TEXTS = {
  all: "Servers and browsers get",
  server: "Only servers get",
} as const;

/** Chooses which clients get flags, in every environment. Throws: a Failure. */
export async function run(
  terminal: Terminal,
  options: Options,
  word: string,
  ...keys: readonly string[]
): Promise<void> {
  const clients = clientsIn(word);
  const connection = await connect(options, terminal);
  const changed = chosen(await connection.flags(), keys).filter((flag) => flag.clients !== clients);
  const names = changed.map(({ key }) => key);
  const done = (isChanged: boolean, text: string) =>
    terminal.result({ clients, flags: names, changed: isChanged }, text);
  if (changed.length === 0) return done(false, "The flags are like that already.");
  terminal.message(`${TEXTS[clients]}: ${names.join(", ")}`);
  if (options.dryRun === true) return done(false, "Nothing was changed.");
  await confirmProduction(terminal, await connection.environments(), options.yes === true);
  for (let start = 0; start < changed.length; start += MAX_FLAGS) {
    const flags = changed
      .slice(start, start + MAX_FLAGS)
      .map(({ id, version }) => ({ id, version }));
    const body = { projectId: connection.project.id, action: "clients", clients, flags };
    await connection.api.post("/flags/bulk", { body, reason: options.reason });
  }
  return done(true, `Changed ${counted(changed.length, "flag")}.`);
}

/** Returns the flags with these keys, each once. Throws: a Failure that names the nearest key. */
function chosen(flags: readonly Flag[], keys: readonly string[]): readonly Flag[] {
  const byKey = new Map(flags.map((flag) => [flag.key, flag]));
  return [...new Set(keys)].map((key) => {
    const flag = byKey.get(key);
    if (flag !== undefined) return flag;
    throw new Failure("error", `The project has no flag ${key}`, {
      remedy: didYouMean(key, [...byKey.keys()]),
    });
  });
}
