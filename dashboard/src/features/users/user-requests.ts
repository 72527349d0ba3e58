import { queryOptions } from "@tanstack/react-query";
import { send } from "../../shared/api/request.ts";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Role, Schemas } from "../../shared/api/types.ts";

/** Loads a user with the entity tag, which an update sends in `If-Match`. */
export interface EditedUser {
  readonly user: Schemas["UserWithRoles"];
  readonly etag: string | null;
}

/** Loads the user again each time the form opens. Throws: ApiError 404. */
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
  /** Whether the user, as an administrator, may use a password while passwords are off. */
  breakGlass: boolean;
};

/** Throws: ApiError 409 if no administrator, or none with a password, would be left; 412 if the user has changed. */
export const updateUser = (
  { user, etag }: EditedUser,
  { name, role, maySignIn, breakGlass }: UserFields,
) =>
  send("put", "/api/v1/users/{id}", {
    path: { id: user.id },
    ...(etag !== null && { header: { "If-Match": etag } }),
    body: {
      name,
      role,
      breakGlass: role === "ADMIN" && breakGlass,
      // Leave out the status of a user who has not accepted the invitation: without a password,
      // the user cannot become active.
      ...(!user.invitationPending && { status: maySignIn ? "ACTIVE" : "DISABLED" }),
    },
  });
