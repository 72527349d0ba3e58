import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Role, Schemas, User } from "../../shared/api/types.ts";

/** A user with the entity tag that updates require. */
export interface EditedUser {
  readonly user: User;
  readonly etag: string | null;
}

/**
 * Loads a user for the edit form. The result is never taken from the cache.
 * Throws: ApiError 404 if the user does not exist.
 */
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

/**
 * Updates a user. Throws: ApiError 409 for the last administrator, 412 if the user has changed
 * since loading.
 */
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
        // Leave out the status of an invited user. It cannot change until the user accepts the
        // invitation.
        ...(user.status !== "INVITED" && { status: maySignIn ? "ACTIVE" : "DISABLED" }),
      },
    }),
  );

/**
 * Invites a user. Throws: ApiError 409 if the address is already in use, 402 if the quota is used
 * up.
 */
export const inviteUser = (body: Schemas["InviteUser"]) =>
  dataOf(api.POST("/api/v1/users/invite", { body }));

/** Sends an invitation again. Throws: ApiError 409 if the invitation has already been accepted. */
export const inviteAgain = (id: number) =>
  dataOf(api.POST("/api/v1/users/{id}/invite", { params: { path: { id } } }));

/** Turns off a user's second factor. Throws: ApiError 404 if the user has none. */
export const resetMfa = (id: number) =>
  api.DELETE("/api/v1/users/{id}/mfa", { params: { path: { id } } });

/** Deletes a user. Throws: ApiError 409 for the last administrator. */
export const deleteUser = (id: number) =>
  api.DELETE("/api/v1/users/{id}", { params: { path: { id } } });
