import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { Role, Schemas } from "../../shared/api/types.ts";

export type Member = Schemas["ProjectMember"];

export const membersQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["projects", projectId, "members"],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/projects/{id}/members", { params: { path: { id: projectId } }, signal }),
      ),
  });

interface ChangedMember {
  readonly projectId: number;
  readonly userId: number;
  /** The version that was loaded. Undefined: the user is no member yet. */
  readonly version: number | undefined;
}

const paramsOf = ({ projectId: id, userId, version }: ChangedMember) => ({
  path: { id, userId },
  ...(version !== undefined && { header: { "If-Match": `"${version}"` } }),
});

/** Throws: ApiError 412 if somebody has changed the member meanwhile. */
export const setMember = (changed: ChangedMember, role: Role) =>
  dataOf(
    api.PUT("/api/v1/projects/{id}/members/{userId}", {
      params: paramsOf(changed),
      body: { role },
    }),
  );

/** Throws: ApiError 404 if the user is no member any more, 412 as `setMember`. */
export const removeMember = (changed: ChangedMember) =>
  api.DELETE("/api/v1/projects/{id}/members/{userId}", { params: paramsOf(changed) });
