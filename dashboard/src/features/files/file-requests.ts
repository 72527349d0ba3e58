import type { FlagsFile } from "@feature-flags/file/file";
import { reasonHeader } from "../../shared/api/change-reason.ts";
import { api } from "../../shared/api/client.ts";
import { send } from "../../shared/api/request.ts";
import { etag } from "../../shared/api/response.ts";
import type { ChangeRequest, Schemas } from "../../shared/api/types.ts";

export type FilePlan = Schemas["FilePlan"];
export type ProtectedChoice = NonNullable<Schemas["PlanFile"]["protectedEnvironments"]>;

export const readExport = (id: number) =>
  send("get", "/api/v1/projects/{id}/export", { path: { id } });

/** A file to plan or to apply. */
export interface Planned {
  readonly projectId: number;
  readonly file: FlagsFile;
  /** The JSON Pointers of the conflicts where the file wins. */
  readonly overwrite: readonly string[];
  /** Whether the file manages the fields that it names from then on. */
  readonly manage: boolean;
  /** What happens to changes that need an approval. */
  readonly protectedEnvironments: ProtectedChoice;
}

const bodyOf = ({ file, overwrite, manage, protectedEnvironments }: Planned) => ({
  file: { ...file },
  prune: false,
  overwrite: [...overwrite],
  manage,
  protectedEnvironments,
});

/** Returns what an apply of the file would change. Throws: ApiError 400 for a file that is not valid. */
export const planFile = (planned: Planned): Promise<FilePlan> =>
  send("post", "/api/v1/projects/{id}/plan", {
    path: { id: planned.projectId },
    body: bodyOf(planned),
  });

/**
 * Applies a file whose plan has this id. Returns the change request if an environment requires an
 * approval, and undefined if the file is applied. Throws: ApiError 412 if the file would change
 * something else by now, 409 for conflicts.
 */
export async function applyFile(
  planned: Planned,
  planId: string,
  reason: string,
): Promise<ChangeRequest | undefined> {
  const { data, response } = await api.POST("/api/v1/projects/{id}/apply", {
    params: {
      path: { id: planned.projectId },
      header: { "If-Match": etag(planId), ...reasonHeader(reason) },
    },
    body: bodyOf(planned),
  });
  return response.status === 202 ? (data as ChangeRequest) : undefined;
}
