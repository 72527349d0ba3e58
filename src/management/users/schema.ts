import { z } from "@hono/zod-openapi";
import { name } from "../../http/schema.ts";
import { EXAMPLE_USER, role, userResponse } from "../auth/schema.ts";

/** RFC 5321 section 4.5.3.1: 254 characters. */
const email = z
  .email({ error: "must be an e-mail address", pattern: z.regexes.unicodeEmail })
  .max(254);

export const inviteRequest = z
  .object({ email, role, name: name.optional() })
  .openapi("InviteUser", { example: { email: "ann@example.com", role: "DEVELOPER" } });

export const invitedResponse = z
  .object({
    ...userResponse.shape,
    invitationSent: z
      .boolean()
      .openapi({ description: "Whether the mail went out; if not, it can be sent again" }),
  })
  .openapi("InvitedUser", {
    example: { ...EXAMPLE_USER, status: "INVITED", lastActiveAt: null, invitationSent: true },
  });

/** What is left out stays as it was. */
export const updateUserRequest = z
  .object({
    name: name.optional(),
    role: role.optional(),
    status: z.enum(["ACTIVE", "DISABLED"]).optional(),
  })
  .openapi("UpdateUser", { example: { role: "ADMIN" } });
