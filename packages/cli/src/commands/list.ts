import { clientsIn } from "../clients.ts";
import { connect } from "../connect.ts";
import type { ConnectionOptions } from "../settings.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import type { Flag, Strategy } from "../types.ts";

interface Options extends ConnectionOptions {
  readonly env?: string;
  readonly search?: string;
  readonly tag?: string;
  readonly clients?: string;
  readonly stale?: boolean;
  readonly archived?: boolean;
}

/** Lists the flags of the project, with their state in one environment if it is given. */
export async function run(terminal: Terminal, options: Options): Promise<void> {
  const connection = await connect(options, terminal);
  const { search, tag, stale, archived = false } = options;
  const clients = options.clients === undefined ? undefined : clientsIn(options.clients);
  const query = {
    search,
    tag: tag === undefined ? undefined : [tag],
    stale,
    archived,
    includeArchived: archived,
    clients,
  };
  const flags: readonly (Flag & { readonly strategy?: Strategy })[] =
    options.env === undefined
      ? await connection.flags(query)
      : await connection.flagsIn(await connection.environment(options.env), query);
  const head = ["KEY", "TYPE", options.env === undefined ? [] : "STATE", "NAME"].flat();
  const rows = flags.map((flag) => [
    flag.key,
    flag.valueType,
    ...(flag.strategy === undefined ? [] : [stateOf(flag.strategy)]),
    flag.name + (flag.stale ? " (stale)" : "") + (flag.clients === "server" ? " (server)" : ""),
  ]);
  terminal.result({ flags }, flags.length === 0 ? "No flags." : table([head, ...rows]));
}

/** Describes a strategy in a few words, such as `on 12.5 %, 2 rules`. */
export function stateOf({ enabled, exactPercentage, rules, constraints, segmentIds }: Strategy) {
  if (!enabled) return "off";
  const conditions = constraints.length + segmentIds.length > 0 ? ", with conditions" : "";
  const ordered = rules.length > 0 ? `, ${rules.length} rule${rules.length > 1 ? "s" : ""}` : "";
  return `on ${exactPercentage} %${conditions}${ordered}`;
}
