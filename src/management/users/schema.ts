import { z } from "@hono/zod-openapi";
import { sliceQuery } from "../../http/paging.ts";
import { id, idText, name, searchText } from "../../http/schema.ts";
import { email, EXAMPLE_USER, userResponse } from "../auth/schema.ts";
import { role } from "../shared/role.ts";

export const inviteRequest = z
  .object({ email, role, name: name.optional() })
  .openapi("InviteUser", { example: { email: "ann@example.com", role: "DEVELOPER" } });

export const invitedResponse = z
  .object({
    ...userResponse.shape,
    invitationSent: z
      .boolean()
      .openapi({ description: "Whether the e-mail was sent. If not, send the invitation again." }),
  })
  .openapi("InvitedUser", {
    example: {
      ...EXAMPLE_USER,
      status: "INVITED",
      lastActiveAt: null,
      invitationPending: true,
      invitationSent: true,
    },
  });

export const usersQuery = z.object({
  search: searchText
    .optional()
    .openapi({ description: "Only the users whose name or e-mail address contains this text" }),
  ...sliceQuery,
});

export const userNamesQuery = z.object({
  ownersIn: idText
    .optional()
    .openapi({ description: "Only the owners of flags of the project with this id" }),
  ...sliceQuery,
});

export const userNameResponse = z
  .object({ id, name: z.string() })
  .openapi("UserName", { example: { id: EXAMPLE_USER.id, name: EXAMPLE_USER.name } });

/** The request body of an update of a user. An omitted field keeps its value. */
export const updateUserRequest = z
  .object({
    name: name.optional(),
    role: role.optional(),
    status: z.enum(["ACTIVE", "DISABLED"]).optional(),
    breakGlass: z.boolean().optional(),
  })
  .openapi("UpdateUser", { example: { role: "ADMIN" } });
