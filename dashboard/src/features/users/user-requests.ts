import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Role, Schemas, User } from "../../shared/api/types.ts";

/** A user with the entity tag, which updates require. */
export interface EditedUser {
  readonly user: User;
  readonly etag: string | null;
}

/** Loads the user when the form opens, never from the cache. Throws: ApiError 404. */
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
  maySignIn: boolean;
};

/** Throws: ApiError 409 for the last administrator, 412 when the user has changed since loading. */
export const updateUser = ({ user, etag }: EditedUser, { name, role, maySignIn }: UserFields) =>
  dataOf(
    api.PUT("/api/v1/users/{id}", {
      params: {
        path: { id: user.id },
        ...(etag !== null && { header: { "If-Match": etag } }),
      },
      body: {
        name,
        role,
        // An invited user has no status to change until they accept.
        ...(user.status !== "INVITED" && { status: maySignIn ? "ACTIVE" : "DISABLED" }),
      },
    }),
  );

/** Throws: ApiError 409 when the address is already in use, 402 over the quota. */
export const inviteUser = (body: Schemas["InviteUser"]) =>
  dataOf(api.POST("/api/v1/users/invite", { body }));

/** Throws: ApiError 409 when the invitation is already accepted. */
export const inviteAgain = (id: number) =>
  dataOf(api.POST("/api/v1/users/{id}/invite", { params: { path: { id } } }));

/** Throws: ApiError 404 when the user has no second factor. */
export const resetMfa = (id: number) =>
  api.DELETE("/api/v1/users/{id}/mfa", { params: { path: { id } } });

/** Throws: ApiError 409 for the last administrator. */
export const deleteUser = (id: number) =>
  api.DELETE("/api/v1/users/{id}", { params: { path: { id } } });
