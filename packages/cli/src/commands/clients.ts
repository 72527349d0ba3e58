import { clientsIn } from "../clients.ts";
import { confirmProduction } from "../confirm.ts";
import { connect } from "../connect.ts";
import { counted } from "../counted.ts";
import { EXIT, Failure } from "../failure.ts";
import { didYouMean } from "../nearest.ts";
import type { ConnectionOptions } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import type { Flag } from "../types.ts";

interface Options extends ConnectionOptions {
  readonly reason?: string;
  readonly dryRun?: boolean;
  readonly propose?: boolean;
  readonly yes?: boolean;
}

/** The most flags in one request (docs/use/api.md, Limits). */
const MAX_FLAGS = 200;

const TEXTS = {
  all: "Servers and browsers get",
  server: "Only servers get",
} as const;

/**
 * Chooses which clients get flags, in every environment. Changes or proposes up to 200 flags with one
 * request. Returns the exit code. Throws: a Failure.
 */
export async function run(
  terminal: Terminal,
  options: Options,
  word: string,
  ...keys: readonly string[]
): Promise<number> {
  const clients = clientsIn(word);
  const { api, project, ...connection } = await connected(options, terminal);
  const changed = chosen(connection.flags, keys).filter((flag) => flag.clients !== clients);
  const names = changed.map(({ key }) => key);
  const facts = { clients, flags: names };
  if (changed.length === 0) {
    terminal.result({ ...facts, changed: false }, "The flags are like that already.");
    return 0;
  }
  terminal.message(`${TEXTS[clients]}: ${names.join(", ")}`);
  if (options.dryRun === true) {
    terminal.result({ ...facts, changed: false }, "Nothing was changed.");
    return 0;
  }
  const { reason } = options;
  const batches = Array.from({ length: Math.ceil(changed.length / MAX_FLAGS) }, (_, n) =>
    changed.slice(n * MAX_FLAGS, (n + 1) * MAX_FLAGS),
  );
  if (options.propose === true) {
    const addresses: string[] = [];
    for (const batch of batches) {
      const title = reason ?? `${TEXTS[clients]} ${counted(batch.length, "flag")}`;
      const operations = batch.map(({ id, version }) => ({
        kind: "flag.update",
        target: { flagId: id },
        ifMatch: version,
        input: { clients },
      }));
      const body = { projectId: project.id, title, operations };
      const { id } = await api.post("/change-requests", { body });
      addresses.push(`${api.url}/projects/${project.id}/change-requests/${id}`);
    }
    terminal.result(
      { ...facts, changed: false, changeRequests: addresses },
      `Open for approval: ${addresses.join(", ")}`,
    );
    return EXIT.approval;
  }
  await confirmProduction(terminal, connection.environments, options.yes === true);
  for (const batch of batches) {
    const flags = batch.map(({ id, version }) => ({ id, version }));
    const body = { projectId: project.id, action: "clients", clients, flags };
    await api.post("/flags/bulk", { body, reason }).catch((error: unknown) => {
      throw withRemedy(error);
    });
  }
  terminal.result({ ...facts, changed: true }, `Changed ${counted(changed.length, "flag")}.`);
  return 0;
}

/** Connects, and reads the flags and environments of the project. */
async function connected(options: Options, terminal: Terminal) {
  const connection = await connect(options, terminal);
  const [flags, environments] = [await connection.flags(), await connection.environments()];
  return { api: connection.api, project: connection.project, flags, environments };
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

/** Adds to the error of a protected environment how to open a change request. */
function withRemedy(error: unknown): unknown {
  if (!(error instanceof Failure) || error.exit !== "approval") return error;
  return new Failure("approval", error.message, {
    code: error.code,
    remedy: "Add --propose to open a change request.",
  });
}
