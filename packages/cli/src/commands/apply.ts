import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import process from "node:process";
import type { PlanRequest } from "@feature-flags/file/plan";
import { confirmProduction } from "../confirm.ts";
import type { Connection } from "../connect.ts";
import { counted } from "../counted.ts";
import { EXIT, Failure } from "../failure.ts";
import { type LoadedFile, loadFile } from "../file/load.ts";
import { partsOf } from "../file/parts.ts";
import { CONFLICT_REMEDY, planText } from "../file/plan-text.ts";
import {
  connectFor,
  placed,
  planFile,
  type PlanOptions,
  readPlan,
  requestOf,
  showPlan,
} from "../file/plan.ts";
import { updateFile } from "../file/update.ts";
import type { Terminal } from "../terminal.ts";
import type { ChangeRequest, FilePlan } from "../types.ts";
import { readExport } from "./export.ts";

interface Options extends PlanOptions {
  readonly plan?: string;
  readonly yes?: boolean;
  readonly parts?: boolean;
  readonly reason?: string;
}

/** What an apply returns: the plan that was applied, or the change request for a protected environment. */
type Applied = FilePlan | { readonly changeRequest: ChangeRequest };

/**
 * Applies a file to the project. Plans first, shows the plan, and binds the apply to it. Returns 3 for
 * conflicts and for another plan than `--plan`, and 4 when an approval is needed.
 */
export async function run(terminal: Terminal, options: Options, location: string): Promise<number> {
  if (options.parts === true) return applyParts(terminal, options, location);
  const { connection, loaded, request, plan } = await planFile(terminal, options, location);
  const exit = showPlan(terminal, options, { loaded, plan });
  terminal.message(planText(plan));
  if (exit === EXIT.conflict) throw conflicts(plan);
  if (options.plan !== undefined && options.plan !== plan.id && plan.changes.length > 0)
    throw new Failure("conflict", `The plan is ${plan.id} by now, and not ${options.plan}`, {
      remedy: "Review the plan above, and apply it with its own id.",
    });
  await confirm(terminal, options, connection, plan);
  const applied = await apply(connection, options, { request, planId: plan.id }).catch(
    (error: unknown) => {
      throw placed(terminal, options, loaded, error);
    },
  );
  if ("changeRequest" in applied) return proposed(terminal, connection, applied.changeRequest);
  await updateSlots(terminal, connection, loaded, plan);
  const count = plan.changes.length;
  terminal.result(
    { applied: count > 0, plan: applied },
    count === 0 ? "Nothing to change." : `Applied ${counted(count, "change")}.`,
  );
  return 0;
}

const conflicts = ({ conflicts: list }: FilePlan): Failure =>
  new Failure(
    "conflict",
    `Nothing was applied, because of ${counted(list.length, "conflict")} with the project`,
    { remedy: CONFLICT_REMEDY },
  );

async function confirm(
  terminal: Terminal,
  { yes }: Options,
  connection: Connection,
  { environments }: FilePlan,
): Promise<void> {
  const names = new Set(environments.map(({ name }) => name));
  const all = await connection.environments();
  await confirmProduction(
    terminal,
    all.filter(({ name }) => names.has(name)),
    yes === true,
  );
}

async function apply(
  { api, project }: Connection,
  { reason }: Options,
  { request, planId }: { readonly request: PlanRequest; readonly planId: string },
): Promise<Applied> {
  const { status, body } = await api.send("POST", `/projects/${project.id}/apply`, {
    body: { ...request, ...origin() },
    headers: { "If-Match": `"${planId}"` },
    reason,
  });
  return status === 202 ? { changeRequest: body as ChangeRequest } : (body as FilePlan);
}

/** Prints the change requests that wait for an approval. Returns the exit code. */
function proposed(
  terminal: Terminal,
  { api, project }: Connection,
  ...requests: readonly ChangeRequest[]
): number {
  const opened = requests.map(({ id }) => ({
    id,
    url: `${api.url}/projects/${project.id}/change-requests/${id}`,
  }));
  const [changeRequest] = opened;
  terminal.result(
    { applied: false, changeRequest, ...(opened.length > 1 && { changeRequests: opened }) },
    opened
      .map(({ id, url }) => `Change request ${id} is open, and waits for an approval: ${url}`)
      .join("\n"),
  );
  return EXIT.approval;
}

/**
 * Writes the slots of splits whose weights were edited into the file, because the old slots belong to the
 * old weights.
 */
async function updateSlots(
  terminal: Terminal,
  connection: Connection,
  loaded: LoadedFile,
  { warnings }: FilePlan,
): Promise<void> {
  const places = warnings.map(({ path }) => path).filter((path) => path.endsWith("/slots"));
  if (places.length === 0) return;
  const project = await readExport(connection, { manager: loaded.value.manager });
  const isOutdated = (pointer: string) => places.some((place) => place.startsWith(`${pointer}/`));
  const { changed, texts } = updateFile(loaded, project, isOutdated);
  if (changed.length === 0) return;
  for (const [file, text] of texts) writeFileSync(file, text);
  terminal.message(`Updated the slots in the file: ${changed.join(", ")}`);
}

/**
 * Applies a large file in parts, each of them in one transaction with its own plan. Parts that were
 * applied before change nothing, so the same command resumes after an error.
 */
async function applyParts(terminal: Terminal, options: Options, location: string): Promise<number> {
  if (options.prune === true || options.plan !== undefined)
    throw new Failure("usage", "--parts does not go with --prune and --plan", {
      remedy: "Each part has its own plan, and lacks the flags of the others.",
    });
  const loaded = loadFile(location);
  const connection = await connectFor(terminal, options, loaded);
  const parts = partsOf(loaded.value);
  const requests: ChangeRequest[] = [];
  let changes = 0;
  for (const [index, file] of parts.entries()) {
    const request = { ...requestOf(options, loaded), file };
    const plan = await readPlan(connection, request);
    if (plan.conflicts.length > 0) {
      terminal.message(planText(plan));
      throw conflicts(plan);
    }
    await confirm(terminal, options, connection, plan);
    const applied = await apply(connection, options, { request, planId: plan.id });
    if ("changeRequest" in applied) requests.push(applied.changeRequest);
    // Without --protected propose, the request has all changes of its part, which later parts may need.
    if (requests.length > 0 && request.protectedEnvironments !== "propose") break;
    changes += plan.changes.length;
    terminal.message(
      `Part ${index + 1} of ${parts.length}: ${counted(plan.changes.length, "change")}`,
    );
  }
  if (requests.length > 0) return proposed(terminal, connection, ...requests);
  terminal.result(
    { applied: changes > 0, parts: parts.length, changes },
    `Applied ${counted(changes, "change")} in ${counted(parts.length, "part")}.`,
  );
  return 0;
}

/** Returns the repository and the commit for the audit trail: from GitHub Actions, or from git. */
function origin(): { readonly repository?: string; readonly commit?: string } {
  const { GITHUB_REPOSITORY, GITHUB_SHA } = process.env;
  const repository = GITHUB_REPOSITORY || undefined;
  const commit = GITHUB_SHA || headCommit();
  return { ...(repository && { repository }), ...(commit && { commit }) };
}

function headCommit(): string | undefined {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    // The file is outside of a repository, or there is no git.
    return undefined;
  }
}
