import { setTimeout as sleep } from "node:timers/promises";
import { confirmProduction } from "../confirm.ts";
import { type Connection, connect } from "../connect.ts";
import { Failure } from "../failure.ts";
import type { ConnectionOptions } from "../settings.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import type { ChangeRequest } from "../types.ts";

interface Options extends ConnectionOptions {
  readonly state: ChangeRequest["state"] | "all";
  readonly hash?: string;
  readonly comment?: string;
  readonly timeout: string;
  readonly yes?: boolean;
}

/** How often `wait` reads the request, milliseconds. */
const POLL_MS = 10_000;

const MINUTE_MS = 60_000;

/** Lists, shows, approves and applies change requests, or waits for their approval. */
export async function run(
  terminal: Terminal,
  options: Options,
  action: string,
  id?: string,
): Promise<void> {
  if (action === "list") return list(terminal, options);
  if (id === undefined || !/^\d+$/.test(id))
    throw new Failure("usage", `flags cr ${action} needs the id of a change request`, {
      remedy: "flags cr list shows the ids.",
    });
  const connection = await connect(options, terminal);
  const request = await read(connection, Number(id));
  switch (action) {
    case "show":
      return shown(terminal, connection, request);
    case "approve":
      return approve(terminal, connection, request, options);
    case "apply":
      return apply(terminal, connection, request, options);
    default:
      return wait(terminal, connection, request, options);
  }
}

async function list(terminal: Terminal, options: Options): Promise<void> {
  const connection = await connect(options, terminal);
  const state = options.state === "all" ? undefined : options.state;
  const query = { projectId: connection.project.id, state, status: true };
  const changeRequests = await connection.api.pages("/change-requests", query);
  const rows = changeRequests.map((one) => [
    String(one.id),
    one.status ?? one.state,
    one.author.name ?? one.author.kind,
    one.title,
  ]);
  const head = ["ID", "STATUS", "AUTHOR", "TITLE"];
  terminal.result(
    { changeRequests },
    rows.length === 0 ? "No change requests." : table([head, ...rows]),
  );
}

async function read({ api, project }: Connection, id: number): Promise<ChangeRequest> {
  const request = await api.get(`/change-requests/${id}`);
  if (request.projectId === project.id) return request;
  throw new Failure("error", `The change request ${id} belongs to another project`, {
    remedy: "Set --project to its project.",
  });
}

const shown = async (terminal: Terminal, connection: Connection, request: ChangeRequest) =>
  terminal.result({ changeRequest: request }, await textOf(connection, request));

/** Describes a request with what it changes, for people. */
async function textOf(connection: Connection, request: ChangeRequest): Promise<string> {
  const { id, title, state, status, hash, approval, reviews, blockedBy } = request;
  const names = new Map((await connection.environments()).map((one) => [one.id, one.name]));
  const approvals = reviews.filter((one) => one.counts && one.verdict === "approve").length;
  return [
    `${id} ${title}: ${status ?? state}, ${approvals} of ${approval.required} approvals`,
    ...(blockedBy === null ? [] : [blockedBy]),
    ...request.operations.map((one) => operationText(one, names)),
    `hash ${hash}`,
    `${connection.api.url}/projects/${request.projectId}/change-requests/${id}`,
  ].join("\n");
}

function operationText(
  operation: ChangeRequest["operations"][number],
  names: ReadonlyMap<number, string>,
): string {
  const { kind, targetId, targetName, environmentId, base, after } = operation;
  const where = environmentId === null ? "" : ` in ${names.get(environmentId) ?? environmentId}`;
  const changes = Object.entries(after).map(
    ([field, value]) => `${field} ${JSON.stringify(base[field])} → ${JSON.stringify(value)}`,
  );
  return `  ${kind} ${targetName ?? targetId}${where}: ${changes.join(", ")}`;
}

/** Returns the header that binds an action to a hash: the given one, or that of the request as it is. */
const matching = ({ hash }: ChangeRequest, options: Options) => ({
  "If-Match": `"${options.hash ?? hash}"`,
});

async function approve(
  terminal: Terminal,
  connection: Connection,
  request: ChangeRequest,
  options: Options,
): Promise<void> {
  if (options.hash === undefined && options.yes !== true) {
    terminal.message(await textOf(connection, request));
    const remedy = "Add --hash <hash>, as flags cr show prints it, or --yes.";
    const answer = await terminal.ask("Type yes to approve it: ", remedy);
    if (answer !== "yes") throw new Failure("error", "Nothing was approved", { remedy });
  }
  const changeRequest = await connection.api.post(`/change-requests/${request.id}/reviews`, {
    body: { verdict: "approve", comment: options.comment ?? null },
    headers: matching(request, options),
  });
  terminal.result(
    { changeRequest },
    `Approved ${request.id}: ${changeRequest.status}. flags cr apply ${request.id} applies it.`,
  );
}

async function apply(
  terminal: Terminal,
  connection: Connection,
  request: ChangeRequest,
  options: Options,
): Promise<void> {
  const changed = new Set(request.operations.map(({ environmentId }) => environmentId));
  const environments = (await connection.environments()).filter(({ id }) => changed.has(id));
  await confirmProduction(terminal, environments, options.yes === true);
  const changeRequest = await connection.api.post(`/change-requests/${request.id}/apply`, {
    headers: matching(request, options),
  });
  terminal.result({ changeRequest }, `Applied ${request.id} ${request.title}.`);
}

/** Waits until a request is approved, or applied. Throws: a Failure if that cannot happen any more. */
async function wait(
  terminal: Terminal,
  connection: Connection,
  first: ChangeRequest,
  options: Options,
): Promise<void> {
  const minutes = Number(options.timeout);
  if (!(minutes >= 0))
    throw new Failure("usage", "--timeout must be a number of minutes, such as 30");
  const hash = options.hash ?? first.hash;
  const deadline = Date.now() + minutes * MINUTE_MS;
  for (let request = first; ; request = await read(connection, first.id)) {
    const { id, state, status, blockedBy } = request;
    if (state === "applied" || (status === "approved" && request.hash === hash))
      return terminal.result({ changeRequest: request }, `${id} is ${status ?? state}.`);
    const isWaiting = status === "needs-approval" || status === "scheduled";
    if (request.hash !== hash || !isWaiting)
      throw new Failure(
        "conflict",
        request.hash === hash
          ? `${id} is ${status ?? state}${blockedBy === null ? "" : `: ${blockedBy}`}`
          : `${id} was changed since`,
        { remedy: `Look at it with flags cr show ${id}.` },
      );
    if (Date.now() >= deadline)
      throw new Failure("approval", `${id} is still ${status} after ${minutes} minutes`, {
        remedy: `Ask somebody to approve it, and run flags cr wait ${id} again.`,
      });
    await sleep(Math.min(POLL_MS, Math.max(0, deadline - Date.now())));
  }
}
