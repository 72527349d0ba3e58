import { z } from "@hono/zod-openapi";
import { id, iso, isoOrNull, name, timestamp } from "../../http/schema.ts";
import type { UserRow } from "./queries.ts";
import type { SessionInfo } from "./service.ts";
import type { Session } from "./session.ts";

export const userResponse = z
  .object({
    id,
    email: z.string(),
    name: z.string(),
    role: z.enum(["ADMIN", "DEVELOPER", "VIEWER"]),
    status: z.enum(["INVITED", "ACTIVE", "DISABLED"]),
    avatar: z.string().nullable(),
    locale: z.string(),
    createdAt: timestamp,
    lastActiveAt: timestamp.nullable(),
  })
  .openapi("User");

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

export const loginRequest = z.object({
  email: z.string().min(1).max(320),
  password: z.string().min(1).max(1024),
});

export const refreshRequest = z.object({ refreshToken: z.string().min(1).max(1024) });

export const selectProjectRequest = z.object({ projectId: id });

/** The rules of a password beyond its length need its owner; see `passwordFault`. */
const password = z
  .string()
  .min(8, "must have at least 8 characters")
  .max(128, "must have at most 128 characters");

const linkToken = z.string().min(1).max(1024);

export const forgotPasswordRequest = z.object({ email: z.string().min(1).max(320) });

export const resetPasswordRequest = z.object({ token: linkToken, password });

export const acceptInviteRequest = z.object({ token: linkToken, name: name.optional(), password });

/** What is left out stays as it was; a new password needs the current one. */
export const updateMeRequest = z.object({
  name: name.optional(),
  /** BCP 47, such as `en` or `pt-BR`. */
  locale: z
    .string()
    .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, "must be a language tag")
    .max(35)
    .optional(),
  avatar: z
    .url({ protocol: /^https$/ })
    .max(2000)
    .nullable()
    .optional(),
  password: password.optional(),
  currentPassword: z.string().min(1).max(1024).optional(),
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
  .openapi("SessionInfo");

export const toSessionInfo = (info: SessionInfo): z.infer<typeof sessionInfoResponse> => ({
  ...info,
  createdAt: iso(info.createdAt),
  refreshedAt: iso(info.refreshedAt),
  expiresAt: iso(info.expiresAt),
});

/** `token` and `accessToken` are the same: the contract uses both names. */
export const sessionResponse = z
  .object({
    token: z.string(),
    accessToken: z.string(),
    refreshToken: z.string(),
    user: userResponse,
    /** Only when a second factor is required and the user has none yet. */
    mfaEnrollmentDeadline: timestamp.optional(),
  })
  .openapi("Session");

/** The password was right; `POST /api/v1/auth/mfa/verify` completes the sign-in. */
export const firstStepResponse = z
  .object({ mfaRequired: z.literal(true), mfaToken: z.string() })
  .openapi("MfaRequired");

export const toSession = (session: Session): z.infer<typeof sessionResponse> => ({
  token: session.accessToken,
  accessToken: session.accessToken,
  refreshToken: session.refreshToken,
  user: toUser(session.user),
  ...(session.mfaEnrollmentDeadline !== undefined && {
    mfaEnrollmentDeadline: iso(session.mfaEnrollmentDeadline),
  }),
});
