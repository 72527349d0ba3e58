import { type PlanRequest, PROTECTED_CHOICES } from "@feature-flags/file/plan";
import { type Connection, connect } from "../connect.ts";
import { EXIT, Failure } from "../failure.ts";
import { annotation } from "../github.ts";
import type { ConnectionOptions } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import type { FilePlan } from "../types.ts";
import { type LoadedFile, loadFile, placedText, placeOf, type Remark } from "./load.ts";
import { optionOf, withOptionNames } from "./option-names.ts";
import { conflictText } from "./plan-text.ts";

/** The options of the commands that compare a file with the project. */
export interface PlanOptions extends ConnectionOptions {
  readonly only: readonly string[];
  readonly overwrite: readonly string[];
  readonly prune?: boolean;
  readonly pruneLimit?: string;
  readonly github?: boolean;
  readonly protected?: string;
}

export interface Planned {
  readonly connection: Connection;
  readonly loaded: LoadedFile;
  readonly request: PlanRequest;
  readonly plan: FilePlan;
}

/** Reads a file, and asks the service what an apply would change. Throws: a Failure. */
export async function planFile(
  terminal: Terminal,
  options: PlanOptions,
  location: string,
): Promise<Planned> {
  const loaded = loadFile(location);
  const connection = await connectFor(terminal, options, loaded);
  const request = requestOf(options, loaded);
  const plan = await readPlan(connection, request).catch((error: unknown) => {
    throw placed(terminal, options, loaded, error);
  });
  return { connection, loaded, request, plan };
}

/** Connects with the project of the file, unless the caller names another one. */
export const connectFor = (
  terminal: Terminal,
  options: PlanOptions,
  { value }: LoadedFile,
): Promise<Connection> =>
  connect({ ...options, project: options.project ?? value.project }, terminal);

export const readPlan = ({ api, project }: Connection, body: PlanRequest): Promise<FilePlan> =>
  api.post(`/projects/${project.id}/plan`, { body });

export function requestOf(options: PlanOptions, { value }: LoadedFile): PlanRequest {
  const { only, overwrite, prune, pruneLimit, protected: choice } = options;
  const protectedEnvironments = PROTECTED_CHOICES.find((one) => one === choice);
  if (choice !== undefined && !protectedEnvironments)
    throw new Failure("usage", `--protected must be ${PROTECTED_CHOICES.join(" or ")}: ${choice}`);
  if (pruneLimit !== undefined && !/^\d{1,6}$/.test(pruneLimit))
    throw new Failure("usage", `--prune-limit must be a whole number: ${pruneLimit}`);
  return {
    file: value,
    ...(prune === true && { prune }),
    ...(pruneLimit !== undefined && { pruneLimit: Number(pruneLimit) }),
    ...(overwrite.length > 0 && { overwrite }),
    ...(only.length > 0 && { environments: only }),
    ...(protectedEnvironments && { protectedEnvironments }),
  };
}

/** Prints a plan, with annotations if they are wanted. Returns the exit code of a comparison. */
export function showPlan(
  terminal: Terminal,
  options: PlanOptions,
  { loaded, plan }: Pick<Planned, "loaded" | "plan">,
): number {
  if (options.github === true) {
    const note = (level: "error" | "warning" | "notice") => (remark: Remark) =>
      terminal.message(annotated(level, loaded, remark));
    plan.conflicts
      .map((one) => ({ path: one.path, message: conflictText(one) }))
      .forEach(note("error"));
    plan.warnings.forEach(note("warning"));
    plan.changes
      .map(({ path, before, after }) => ({ path, message: `${json(before)} → ${json(after)}` }))
      .forEach(note("notice"));
  }
  if (plan.conflicts.length > 0) return EXIT.conflict;
  return plan.changes.length > 0 ? EXIT.differences : 0;
}

const json = (value: unknown): string => JSON.stringify(value) ?? "nothing";

function annotated(
  level: "error" | "warning" | "notice",
  loaded: LoadedFile,
  { path, message }: Remark,
): string {
  return annotation({ level, title: path, message, ...placeOf(loaded, path) });
}

/** Adds the lines of the file to an error of the service that names JSON Pointers. */
export function placed(
  terminal: Terminal,
  options: PlanOptions,
  loaded: LoadedFile,
  error: unknown,
): unknown {
  if (!(error instanceof Failure)) return error;
  const { exit, code, remedy } = error;
  const summary = withOptionNames(error.summary);
  const remarks = error.details
    .map(({ field, message }) => ({ path: field.replace(/^file/, ""), message }))
    .filter(({ path }) => path.startsWith("/"));
  if (remarks.length === 0) {
    const details = error.details.map(({ field, message }) => ({
      field: optionOf(field),
      message: withOptionNames(message),
    }));
    return new Failure(exit, summary, { code, remedy, details });
  }
  if (options.github === true)
    for (const remark of remarks) terminal.message(annotated("error", loaded, remark));
  const lines = remarks.map((remark) => placedText(placeOf(loaded, remark.path), remark));
  return new Failure(exit, [summary, ...lines].join("\n  "), { code, remedy });
}
