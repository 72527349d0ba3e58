import { ruleStrategyOf } from "@feature-flags/evaluation/api-strategy";
import { explain } from "@feature-flags/evaluation/explain";
import {
  type ClientRule,
  type EvaluationContext,
  toClientRule,
} from "@feature-flags/evaluation/rule";
import { type Connection, connect } from "../connect.ts";
import { contextOf } from "../context.ts";
import { explanationText, verdictText } from "../explanation.ts";
import type { ConnectionOptions } from "../settings.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import type { Environment, FlagInEnvironment } from "../types.ts";

interface Options extends ConnectionOptions {
  readonly env: string;
  readonly context: readonly string[];
  readonly contextJson?: string;
}

/**
 * Evaluates one flag with its explanation, or all flags, from the present rules of an environment. The
 * context stays on this machine.
 */
export async function run(terminal: Terminal, options: Options, key?: string): Promise<void> {
  const context = contextOf(options.context, options.contextJson);
  const connection = await connect(options, terminal);
  const environment = await connection.environment(options.env);
  const [flags, segments] = await Promise.all([
    key === undefined
      ? connection.flagsIn(environment)
      : flagWithRequired(connection, environment, key),
    connection.api.get("/segments", { projectId: connection.project.id }),
  ]);
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  const rules = new Map(
    flags.map((flag) => [flag.key, toClientRule(flag, ruleStrategyOf(flag.strategy), byId)]),
  );
  if (key === undefined) return showAll(terminal, rules, context);
  const [flag] = flags;
  const rule = rules.get(key);
  if (flag === undefined || rule === undefined) return undefined;
  const explanation = explain(rule, context, rules);
  const { verdict } = explanation;
  const names = flag.strategy.rules.map(({ name }) => name);
  terminal.result(
    { flag: key, environment: environment.name, context, verdict, explanation },
    `${key} in ${environment.name}: ${verdictText(verdict)}\n${explanationText(rule, names, explanation)}`,
  );
  return undefined;
}

function showAll(
  terminal: Terminal,
  rules: ReadonlyMap<string, ClientRule>,
  context: EvaluationContext,
): void {
  const verdicts = [...rules].map(
    ([key, rule]) => [key, explain(rule, context, rules).verdict] as const,
  );
  terminal.result(
    { context, verdicts: Object.fromEntries(verdicts) },
    table(verdicts.map(([key, verdict]) => [key, verdictText(verdict)])),
  );
}

/** Reads a flag and the flags that it requires, to any depth. The flag is the first one. */
async function flagWithRequired(
  connection: Connection,
  environment: Environment,
  key: string,
): Promise<readonly FlagInEnvironment[]> {
  const found = new Map<string, FlagInEnvironment>();
  const wanted = new Set([key]);
  // The loop also visits the keys that it adds.
  for (const one of wanted) {
    const flags = await connection.flagsIn(environment, { search: one });
    const flag = flags.find((candidate) => candidate.key === one);
    // An archived flag has no rules. `flag` fails for a key that does not exist.
    if (flag === undefined) await connection.flag(one);
    else found.set(one, flag);
    for (const { flagKey } of flag?.prerequisites ?? []) wanted.add(flagKey);
  }
  return [...found.values()];
}
