import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Role, Schemas, User } from "../../shared/api/types.ts";

/**
 * A user with the user's entity tag. A request that updates the user sends the entity tag in
 * `If-Match`.
 */
export interface EditedUser {
  readonly user: User;
  readonly etag: string | null;
}

/**
 * The React Query options that load a user for the edit form. The user is loaded again each time the
 * form opens.
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
 * Updates a user.
 * Throws: ApiError 409 if the change would leave no administrator, 412 if the user has changed
 * since it was loaded.
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
        // Leave out the status of a user who has not accepted the invitation: without a password,
        // the user cannot become active.
        ...(!user.invitationPending && { status: maySignIn ? "ACTIVE" : "DISABLED" }),
      },
    }),
  );

/**
 * Invites a user.
 * Throws: ApiError 409 if the email address is already in use, 402 if the quota of users is used
 * up.
 */
export const inviteUser = (body: Schemas["InviteUser"]) =>
  dataOf(api.POST("/api/v1/users/invite", { body }));

/**
 * Sends the mail of an invitation again.
 * Throws: ApiError 409 if the invitation has already been accepted.
 */
export const inviteAgain = (id: number) =>
  dataOf(api.POST("/api/v1/users/{id}/invite", { params: { path: { id } } }));

/**
 * Turns off the second factor of a user.
 * Throws: ApiError 404 if the user has no second factor.
 */
export const resetMfa = (id: number) =>
  api.DELETE("/api/v1/users/{id}/mfa", { params: { path: { id } } });

/**
 * Deletes a user.
 * Throws: ApiError 409 if the user is the last administrator.
 */
export const deleteUser = (id: number) =>
  api.DELETE("/api/v1/users/{id}", { params: { path: { id } } });
