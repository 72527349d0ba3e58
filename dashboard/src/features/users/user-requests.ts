import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Role, Schemas, User } from "../../shared/api/types.ts";

/** With the entity tag of what was read, which a change demands. */
export interface EditedUser {
  readonly user: User;
  readonly etag: string | null;
}

/** Read when the edit begins, not before. Errors: 404. */
export const editedUserQuery = (id: number) =>
  queryOptions({
    queryKey: ["users", id],
    queryFn: async ({ signal }): Promise<EditedUser> => {
      const call = api.GET("/api/v1/users/{id}", { params: { path: { id } }, signal });
      const user = await dataOf(call);
      return { user, etag: (await call).response.headers.get("ETag") };
    },
    gcTime: 0,
    staleTime: Infinity,
  });

export type UserFields = {
  name: string;
  role: Role;
  mayEnter: boolean;
};

/** Errors: 409 for the last administrator, 412 when somebody was faster. */
export const updateUser = ({ user, etag }: EditedUser, { name, role, mayEnter }: UserFields) =>
  dataOf(
    api.PUT("/api/v1/users/{id}", {
      params: {
        path: { id: user.id },
        ...(etag !== null && { header: { "If-Match": etag } }),
      },
      body: {
        name,
        role,
        // Nobody enters before the invitation is accepted.
        ...(user.status !== "INVITED" && { status: mayEnter ? "ACTIVE" : "DISABLED" }),
      },
    }),
  );

/** Errors: 409 for an address that is known, 402 over the quota. */
export const inviteUser = (body: Schemas["InviteUser"]) =>
  dataOf(api.POST("/api/v1/users/invite", { body }));

/** Errors: 409 once it is accepted. */
export const inviteAgain = (id: number) =>
  dataOf(api.POST("/api/v1/users/{id}/invite", { params: { path: { id } } }));

/** Errors: 404 when there is no second factor. */
export const resetMfa = (id: number) =>
  api.DELETE("/api/v1/users/{id}/mfa", { params: { path: { id } } });

/** Errors: 409 for the last administrator. */
export const deleteUser = (id: number) =>
  api.DELETE("/api/v1/users/{id}", { params: { path: { id } } });
