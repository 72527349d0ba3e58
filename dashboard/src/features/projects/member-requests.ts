import { read, send } from "../../shared/api/request.ts";
import type { Role, Schemas } from "../../shared/api/types.ts";

export type Member = Schemas["ProjectMember"];

export const membersQuery = (projectId: number) =>
  read("/api/v1/projects/{id}/members", { path: { id: projectId } });

interface ChangedMember {
  readonly projectId: number;
  readonly userId: number;
  /** The version that was loaded. Undefined: the user is no member yet. */
  readonly version: number | undefined;
}

const paramsOf = ({ projectId: id, userId, version }: ChangedMember) => ({
  path: { id, userId },
  ...(version !== undefined && { ifMatch: version }),
});

/** Throws: ApiError 412 if somebody has changed the member meanwhile. */
export const setMember = (changed: ChangedMember, role: Role) =>
  send("put", "/api/v1/projects/{id}/members/{userId}", { ...paramsOf(changed), body: { role } });

/** Throws: ApiError 404 if the user is no member any more, 412 as `setMember`. */
export const removeMember = (changed: ChangedMember) =>
  send("delete", "/api/v1/projects/{id}/members/{userId}", paramsOf(changed));
