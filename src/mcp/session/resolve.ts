import { ApiError } from "../../core/errors/api-error.ts";
import type { RequestCall } from "../../access/call.ts";
import type { ListedEnvironment } from "../../model/environments/queries.ts";
import { listEnvironments } from "../../management/environments/service.ts";
import { listProjects } from "../../management/projects/service.ts";

/** Agents name flags by keys and environments by names. This file finds their ids. */

/** Matches a name of one word, which an error text can show as it is. Others are shown as JSON. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

/** How many projects or environments an error text names. */
const MAX_NAMED = 20;

/** Returns a name for an error text. People have written it, so it must not look like a sentence. */
export const nameText = (name: string): string =>
  name.length <= 40 && PLAIN.test(name) ? name : JSON.stringify(name);

/**
 * Returns the id of the project of a tool call. Throws: 400 with the projects of the token if the call
 * names none of them, and if it names no project although there are several.
 */
export async function projectOf(call: RequestCall, named: number | undefined): Promise<number> {
  const { projectId } = call.actor;
  if (projectId !== undefined && (named ?? projectId) === projectId) return projectId;
  const projects = await listProjects(call, {});
  const [only, other] = projects;
  const found =
    named === undefined ? (other ? undefined : only) : projects.find(({ id }) => id === named);
  if (found) return found.id;
  if (!only) throw new ApiError("NOT_FOUND", "The token reaches no project. Ask its owner.");
  const names = projects.slice(0, MAX_NAMED).map(({ id, name }) => `${id} ${nameText(name)}`);
  throw new ApiError("BAD_REQUEST", `Name a project: ${names.join(", ")}.`);
}

export const environmentsOf = (
  call: RequestCall,
  projectId: number,
): Promise<ListedEnvironment[]> => listEnvironments(call, { projectId });

/** Returns the environment with a name, in any case of its letters. Throws: 404 with the names. */
export function environmentNamed(
  environments: readonly ListedEnvironment[],
  named: string,
): ListedEnvironment {
  const lower = named.toLowerCase();
  const found =
    environments.find(({ name }) => name === named) ??
    environments.find(({ name }) => name.toLowerCase() === lower);
  if (found) return found;
  const names = environments.slice(0, MAX_NAMED).map(({ name }) => nameText(name));
  throw new ApiError("NOT_FOUND", `Choose one of: ${names.join(", ")}.`);
}
