import { changeText } from "../change-text.ts";
import { confirmProduction } from "../confirm.ts";
import { type Connection, connect } from "../connect.ts";
import { EXIT, Failure } from "../failure.ts";
import type { ConnectionOptions } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import type { Environment } from "../types.ts";

export interface ChangeOptions extends ConnectionOptions {
  readonly env: string;
  readonly reason?: string;
  readonly dryRun?: boolean;
  readonly propose?: boolean;
  readonly yes?: boolean;
}

/** The fields of a strategy that the command sets. */
type Input = { readonly enabled: boolean } | { readonly exactPercentage: number };

/** Returns the command that switches a flag on or off. */
export const switchTo =
  (enabled: boolean) =>
  (terminal: Terminal, options: ChangeOptions, key: string): Promise<number> =>
    change(terminal, options, key, { enabled });

/**
 * Changes the strategy of a flag in an environment. Shows the plan of the service first, and binds
 * the change to the version of the strategy that the plan was made from. Returns the exit code.
 * Throws: a Failure.
 */
export async function change(
  terminal: Terminal,
  options: ChangeOptions,
  key: string,
  input: Input,
): Promise<number> {
  const connection = await connect(options, terminal);
  const environment = await connection.environment(options.env);
  const flag = await connection.flag(key);
  if (flag.archived)
    throw new Failure("conflict", `${key} is archived, so it is off everywhere`, {
      remedy: "Restore the flag in the dashboard first.",
    });
  const { version, enabled } = await connection.api.get(
    `/flags/${flag.id}/strategies/${environment.id}`,
  );
  const operation = {
    kind: "strategy.set",
    target: { flagId: flag.id, environmentId: environment.id },
    input,
  };
  const body = {
    projectId: connection.project.id,
    operations: [{ ...operation, ifMatch: version }],
  };
  const operations = (dryRun: boolean) =>
    connection.api.post("/operations", {
      body: { ...body, dryRun },
      ...(!dryRun && { reason: options.reason }),
    });
  const plan = await operations(true);
  const [planned] = plan.changes;
  const facts = { flag: key, environment: environment.name, planId: plan.planId };
  const where = `${key} in ${environment.name}`;
  if (planned === undefined) {
    terminal.result({ ...facts, changed: false }, `${where} is like that already.`);
    return 0;
  }
  const { before, after } = planned;
  const moves = plan.moves[0]?.share ?? 0;
  terminal.message(`${where}: ${changeText(before, after)}`);
  terminal.message(movesText(moves));
  if (!("enabled" in input) && !enabled)
    terminal.message(`The flag is off in ${environment.name}, and stays off.`);
  const data = { ...facts, before, after, moves };
  if (options.dryRun === true) {
    terminal.result({ ...data, changed: false }, "Nothing was changed.");
    return 0;
  }
  if (options.propose === true) {
    const request = await propose(
      connection,
      options.reason ?? `${where}: ${text(input)}`,
      operation,
    );
    const page = `/projects/${connection.project.id}/change-requests/${request.id}`;
    const address = `${connection.api.url}${page}`;
    terminal.result(
      { ...data, changed: false, changeRequest: { id: request.id, url: address } },
      `Change request ${request.id} is open: ${address}`,
    );
    return EXIT.approval;
  }
  await confirmProduction(terminal, [environment], options.yes === true);
  const made = await operations(false).catch((error: unknown) => {
    throw withRemedy(error, environment);
  });
  terminal.result({ ...data, planId: made.planId, changed: true }, `Changed ${where}.`);
  return 0;
}

const propose = (connection: Connection, title: string, operation: object) =>
  connection.api.post("/change-requests", {
    body: { projectId: connection.project.id, title, operations: [operation] },
  });

/** Adds to the error of a protected environment how to open a change request. */
function withRemedy(error: unknown, environment: Environment): unknown {
  if (!(error instanceof Failure) || error.exit !== "approval") return error;
  return new Failure("approval", error.message, {
    code: error.code,
    remedy: `${environment.name} is protected. Add --propose to open a change request.`,
  });
}

const text = (value: unknown): string => JSON.stringify(value);

/** Describes the share of users who get another variant, with up to three decimals of a per cent. */
const movesText = (share: number): string =>
  share === 0
    ? "No user gets another value."
    : `At most ${Math.round(share * 100_000) / 1000} % of the users get another value.`;
