import { z } from "@hono/zod-openapi";
import { name } from "../../http/schema.ts";
import { userResponse } from "../auth/schema.ts";

const role = z.enum(["ADMIN", "DEVELOPER", "VIEWER"]);

/** RFC 5321 section 4.5.3.1: 254 characters. */
const email = z
  .email({ error: "must be an e-mail address", pattern: z.regexes.unicodeEmail })
  .max(254);

export const inviteRequest = z.object({ email, role, name: name.optional() });

/** The user, and whether the mail went out; if not, it can be sent again. */
export const invitedResponse = userResponse
  .extend({ invitationSent: z.boolean() })
  .openapi("InvitedUser");

/** What is left out stays as it was. */
export const updateUserRequest = z.object({
  name: name.optional(),
  role: role.optional(),
  status: z.enum(["ACTIVE", "DISABLED"]).optional(),
});
