import { connect } from "../connect.ts";
import type { ConnectionOptions } from "../settings.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import type { Strategy } from "../types.ts";
import { stateOf } from "./list.ts";

/** Shows a flag, and its strategy in each environment. */
export async function run(
  terminal: Terminal,
  options: ConnectionOptions,
  key: string,
): Promise<void> {
  const connection = await connect(options, terminal);
  const flag = await connection.flag(key);
  const strategies = await connection.api.get(`/flags/${flag.id}/strategies`);
  const facts = [
    ["key", flag.key],
    ["name", flag.name],
    ["type", `${flag.valueType}, ${flag.flagType}`],
    ["clients", flag.clients === "all" ? "servers and browsers" : "servers only"],
    ["tags", flag.tags.join(", ")],
    ["variants", flag.variants.map(({ key: one, value }) => `${one} = ${json(value)}`).join(", ")],
    ["off variant", flag.offVariant ?? ""],
    ["requires", flag.prerequisites.map(({ flagKey }) => flagKey).join(", ")],
    ["state", [flag.archived ? "archived" : [], flag.stale ? "stale" : []].flat().join(", ")],
    ["last used", flag.lastUsedAt ?? "never"],
  ].filter(([, fact]) => fact !== "");
  const rows = strategies.map((strategy) => [
    strategy.environmentName,
    stateOf(strategy),
    servedText(strategy.serve),
  ]);
  terminal.result(
    { flag, strategies },
    `${table(facts)}\n\n${table([["ENVIRONMENT", "STATE", "SERVES"], ...rows])}`,
  );
}

const json = (value: unknown): string => JSON.stringify(value);

const servedText = (serve: Strategy["serve"]): string =>
  "variant" in serve
    ? serve.variant
    : Object.entries(serve.weights)
        .map(([variant, weight]) => `${variant} ${weight} %`)
        .join(", ");
