import { z } from "@hono/zod-openapi";
import { name } from "../../http/schema.ts";
import { EXAMPLE_USER, role, userResponse } from "../auth/schema.ts";

/**
 * The schema of an e-mail address of at most 254 characters: RFC 5321 section 4.5.3.1.3 limits a
 * path, which adds two angle brackets, to 256.
 */
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
      .openapi({ description: "Whether the e-mail was sent. If not, send the invitation again." }),
  })
  .openapi("InvitedUser", {
    example: { ...EXAMPLE_USER, status: "INVITED", lastActiveAt: null, invitationSent: true },
  });

/** The request body of an update of a user. An omitted field keeps its value. */
export const updateUserRequest = z
  .object({
    name: name.optional(),
    role: role.optional(),
    status: z.enum(["ACTIVE", "DISABLED"]).optional(),
  })
  .openapi("UpdateUser", { example: { role: "ADMIN" } });
