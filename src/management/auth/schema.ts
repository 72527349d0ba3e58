import { z } from "@hono/zod-openapi";
import { id, iso, isoOrNull, name, timestamp } from "../../http/schema.ts";
import { EXAMPLE_PROJECT, projectResponse } from "../projects/schema.ts";
import type { UserRow } from "./queries.ts";
import type { SessionInfo } from "./service.ts";
import type { Session } from "./sign-in.ts";

/** The user in the examples of the API description. */
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
};

/**
 * The access token and MFA token in the examples of the API description. The signature is not
 * valid.
 */
const EXAMPLE_TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIyIn0.c2lnbmVkIGJ5IG5vYm9keQ";
const EXAMPLE_REFRESH_TOKEN = "b25lIGZhbWlseQ.b25lIHRva2VuIG9mIHRoZSBmYW1pbHk";
const EXAMPLE_LINK_TOKEN = "b25lIG9mIGEgbWFpbCwgbm90IGEgc2VjcmV0";
const EXAMPLE_PASSWORD = "correct-horse-battery";

export const role = z.enum(["ADMIN", "DEVELOPER", "VIEWER"]);

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
});

export const loginRequest = z
  .object({ email: z.string().min(1).max(320), password: z.string().min(1).max(1024) })
  .openapi("Login", { example: { email: EXAMPLE_USER.email, password: EXAMPLE_PASSWORD } });

export const refreshRequest = z
  .object({ refreshToken: z.string().min(1).max(1024) })
  .openapi("Refresh", { example: { refreshToken: EXAMPLE_REFRESH_TOKEN } });

export const selectProjectRequest = z
  .object({ projectId: id })
  .openapi("SelectProject", { example: { projectId: 1 } });

/**
 * The schema of a new password: 8 to 128 characters. `passwordError` checks the rules that depend
 * on the user.
 */
const password = z
  .string()
  .min(8, "must have at least 8 characters")
  .max(128, "must have at most 128 characters");

const linkToken = z.string().min(1).max(1024);

export const forgotPasswordRequest = z
  .object({ email: z.string().min(1).max(320) })
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
    currentPassword: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .openapi({ description: "Required when `password` is given" }),
  })
  .openapi("UpdateMe", { example: { name: "Ann", locale: "pt-BR" } });

export const sessionParams = z.object({
  sessionId: z.string().min(1).max(100).openapi({ example: "b25lIGZhbWlseQ" }),
});

export const sessionInfoResponse = z
  .object({
    id: z.string(),
    createdAt: timestamp,
    refreshedAt: timestamp,
    expiresAt: timestamp,
    userAgent: z.string().nullable(),
    ip: z.string().nullable(),
    current: z.boolean(),
  })
  .openapi("SessionInfo", {
    example: {
      id: "b25lIGZhbWlseQ",
      createdAt: "2026-01-02T03:04:05.678Z",
      refreshedAt: "2026-01-02T03:04:05.678Z",
      expiresAt: "2026-02-01T03:04:05.678Z",
      userAgent: "Mozilla/5.0",
      ip: "192.0.2.7",
      current: true,
    },
  });

export const toSessionInfo = (info: SessionInfo): z.infer<typeof sessionInfoResponse> => ({
  ...info,
  createdAt: iso(info.createdAt),
  refreshedAt: iso(info.refreshedAt),
  expiresAt: iso(info.expiresAt),
});

const EXAMPLE_SESSION = {
  token: EXAMPLE_TOKEN,
  accessToken: EXAMPLE_TOKEN,
  refreshToken: EXAMPLE_REFRESH_TOKEN,
  user: EXAMPLE_USER,
};

/**
 * The response with the tokens of a new or refreshed session. `token` and `accessToken` have the
 * same value, because the API contract uses both names.
 */
export const sessionResponse = z
  .object({
    token: z.string().openapi({ description: "The access token, a JWT" }),
    accessToken: z.string().openapi({ description: "The same as `token`" }),
    refreshToken: z.string(),
    user: userResponse,
    mfaEnrollmentDeadline: timestamp.optional().openapi({
      description:
        "The user must set up a second factor before this time. Present only while a second factor " +
        "is required and the user has none.",
    }),
  })
  .openapi("Session", { example: EXAMPLE_SESSION });

/**
 * The response to a login with the right password if the user has a second factor. `POST
 * /api/v1/auth/mfa/verify` completes the sign-in.
 */
export const firstStepResponse = z
  .object({ mfaRequired: z.literal(true), mfaToken: z.string() })
  .openapi("MfaRequired", { example: { mfaRequired: true, mfaToken: EXAMPLE_TOKEN } });

export const projectSessionResponse = z
  .object({ ...sessionResponse.shape, project: projectResponse })
  .openapi("ProjectSession", { example: { ...EXAMPLE_SESSION, project: EXAMPLE_PROJECT } });

export const toSession = (session: Session): z.infer<typeof sessionResponse> => ({
  token: session.accessToken,
  accessToken: session.accessToken,
  refreshToken: session.refreshToken,
  user: toUser(session.user),
  ...(session.mfaEnrollmentDeadline !== undefined && {
    mfaEnrollmentDeadline: iso(session.mfaEnrollmentDeadline),
  }),
});
