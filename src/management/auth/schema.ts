import { z } from "@hono/zod-openapi";
import { id, iso, isoOrNull, name, timestamp, visible } from "../../http/schema.ts";
import { role } from "../shared/role.ts";
import type { OwnAccount } from "./account-service.ts";
import type { UserRow, UserWithRoles } from "../../model/auth/queries.ts";

export const EXAMPLE_USER = {
  id: 2,
  email: "ann@example.com",
  name: "Ann",
  role: "DEVELOPER",
  status: "ACTIVE",
  avatar: null,
  locale: "en",
  createdAt: "2026-01-02T03:04:05.678Z",
  lastActiveAt: "2026-01-02T03:04:05.678Z",
  invitationPending: false,
  breakGlass: false,
};

const EXAMPLE_LINK_TOKEN = "b25lIG9mIGEgbWFpbCwgbm90IGEgc2VjcmV0";
export const EXAMPLE_PASSWORD = "correct-horse-battery";

/** The schema of the user's current password, in requests for which an access token alone is not enough. */
export const currentPassword = z
  .string()
  .min(1)
  .max(1024)
  .openapi({
    description:
      "Not needed for ten minutes after the identity provider has confirmed the user (the intent " +
      "`confirm` of `POST /api/v1/auth/sign-on/{slug}`)",
  });

export const userResponse = z
  .object({
    id,
    email: z.string(),
    name: z.string(),
    role,
    status: z.enum(["INVITED", "ACTIVE", "DISABLED"]),
    avatar: z.string().nullable(),
    locale: z.string(),
    createdAt: timestamp,
    lastActiveAt: timestamp.nullable(),
    invitationPending: z.boolean().openapi({
      description:
        "Whether the user has not accepted an invitation yet. Then the status is `INVITED` or " +
        "`DISABLED`, and the invitation can be sent again.",
    }),
    breakGlass: z.boolean().openapi({
      description:
        "Whether the user, as an administrator, may sign in with a password while passwords are " +
        "turned off",
    }),
  })
  .openapi("User", { example: EXAMPLE_USER });

export const toUser = (row: UserRow): z.infer<typeof userResponse> => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  status: row.status,
  avatar: row.avatar,
  locale: row.locale,
  createdAt: iso(row.createdAt),
  lastActiveAt: isoOrNull(row.lastActiveAt),
  invitationPending: row.passwordHash === null && !row.hasIdentity,
  breakGlass: row.breakGlass,
});

const EXAMPLE_ROLES = [{ projectId: 1, role: "DEVELOPER" as const }];

export const userWithRolesResponse = z
  .object({
    ...userResponse.shape,
    projectRoles: z.array(z.object({ projectId: id, role })).openapi({
      description:
        "The roles in the projects of which the user is a member. There, the user has the higher of " +
        "this role and `role`",
    }),
  })
  .openapi("UserWithRoles", { example: { ...EXAMPLE_USER, projectRoles: EXAMPLE_ROLES } });

export const toUserWithRoles = ({
  user,
  projectRoles,
}: UserWithRoles): z.infer<typeof userWithRolesResponse> => ({
  ...toUser(user),
  projectRoles: Array.from(projectRoles, ([projectId, there]) => ({ projectId, role: there })),
});

/** The signed-in user, with what the user needs to confirm a change of the account. */
export const ownAccountResponse = z
  .object({
    ...userWithRolesResponse.shape,
    hasPassword: z.boolean().openapi({
      description:
        "Whether the user has a password. A user without one confirms changes of the account at the " +
        "identity provider (the intent `confirm` of `POST /api/v1/auth/sign-on/{slug}`)",
    }),
    confirmedUntil: timestamp.nullable().openapi({
      description:
        "Until when changes of the account need no `currentPassword` in this session, because the " +
        "identity provider has confirmed the user; `null` if they need it",
    }),
  })
  .openapi("OwnAccount", {
    example: {
      ...EXAMPLE_USER,
      projectRoles: EXAMPLE_ROLES,
      hasPassword: true,
      confirmedUntil: null,
    },
  });

export const toOwnAccount = ({
  confirmedUntil,
  ...found
}: OwnAccount): z.infer<typeof ownAccountResponse> => ({
  ...toUserWithRoles(found),
  hasPassword: found.user.passwordHash !== null,
  confirmedUntil: isoOrNull(confirmedUntil),
});

/**
 * The schema of a new password: 8 to 128 characters. `passwordError` checks the rules that depend
 * on the user.
 */
const password = z
  .string()
  .min(8, "must have at least 8 characters")
  .max(128, "must have at most 128 characters");

/**
 * The maximum length of an e-mail address. RFC 5321 section 4.5.3.1.3 allows 256 characters for an
 * address in angle brackets.
 */
const MAX_EMAIL = 254;
const noEmail = "must be an e-mail address";

export const email = z
  .email({ error: noEmail, pattern: z.regexes.unicodeEmail })
  .max(MAX_EMAIL)
  .refine(...visible);

/** The schema of an e-mail address that a user has typed, perhaps with surrounding spaces. */
const typedEmail = z
  .string()
  .trim()
  .max(MAX_EMAIL)
  // Uses `refine` instead of `regex`: the API description would repeat the pattern, and JSON Schema
  // has no flag `u`.
  .refine((text) => z.regexes.unicodeEmail.test(text), noEmail)
  .openapi({ format: "email" });

const linkToken = z.string().min(1).max(1024);

export const forgotPasswordRequest = z
  .object({ email: typedEmail })
  .openapi("ForgotPassword", { example: { email: EXAMPLE_USER.email } });

export const resetPasswordRequest = z
  .object({ token: linkToken, password })
  .openapi("ResetPassword", {
    example: { token: EXAMPLE_LINK_TOKEN, password: EXAMPLE_PASSWORD },
  });

export const acceptInviteRequest = z
  .object({ token: linkToken, name: name.optional(), password })
  .openapi("AcceptInvite", {
    example: { token: EXAMPLE_LINK_TOKEN, name: EXAMPLE_USER.name, password: EXAMPLE_PASSWORD },
  });

export const readInvitationRequest = z
  .object({ token: linkToken })
  .openapi("ReadInvitation", { example: { token: EXAMPLE_LINK_TOKEN } });

export const invitationResponse = z
  .object({
    email: z.string(),
    name: z.string(),
    role,
    invitedBy: z
      .string()
      .nullable()
      .openapi({
        description:
          "Who sent the invitation: an e-mail address. Null if the audit record of the invitation no " +
          "longer exists.",
      }),
  })
  .openapi("Invitation", {
    example: {
      email: EXAMPLE_USER.email,
      name: EXAMPLE_USER.name,
      role: "DEVELOPER",
      invitedBy: "owner@example.com",
    },
  });

/**
 * The request body of an update of one's own account. An omitted field keeps its value. A new
 * password requires the current one.
 */
export const updateMeRequest = z
  .object({
    name: name.optional(),
    locale: z
      .string()
      .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, "must be a language tag such as en or pt-BR")
      .max(35)
      .optional()
      .openapi({ description: "Language tag (BCP 47), such as `en` or `pt-BR`" }),
    avatar: z
      .url({ protocol: /^https$/ })
      .max(2000)
      .nullable()
      .optional(),
    password: password.optional(),
    currentPassword: currentPassword.optional().openapi({
      description:
        "Required when `password` is given, unless the identity provider has confirmed the user " +
        "within the last ten minutes (the intent `confirm` of `POST /api/v1/auth/sign-on/{slug}`)",
    }),
  })
  .openapi("UpdateMe", { example: { name: "Ann", locale: "pt-BR" } });
