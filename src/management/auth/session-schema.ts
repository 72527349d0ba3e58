import type { Actor } from "@feature-flags/permissions/permissions";
import { z } from "@hono/zod-openapi";
import { id, iso, timestamp } from "../../http/schema.ts";
import { EXAMPLE_PROJECT, projectResponse, toProject } from "../projects/schema.ts";
import { SECOND_FACTORS } from "../../model/auth/queries.ts";
import { EXAMPLE_PASSWORD, EXAMPLE_USER, toUser, userResponse } from "./schema.ts";
import type { SelectedProject, SessionInfo } from "./service.ts";
import type { FirstStep, NewSession } from "../../workflows/sign-in/sign-in.ts";

/**
 * The access token, MFA token and device token in the examples of the API description. The signature is not
 * valid.
 */
const EXAMPLE_TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIyIn0.c2lnbmVkIGJ5IG5vYm9keQ";
const EXAMPLE_REFRESH_TOKEN = "b25lIGZhbWlseQ.b25lIHRva2VuIG9mIHRoZSBmYW1pbHk";

/** The schema of the device token that a login may send. An invalid device token is ignored. */
export const deviceToken = z
  .string()
  .max(2048)
  .optional()
  .openapi({
    description:
      "The `deviceToken` of an earlier sign-in on this device. With it, wrong passwords of others " +
      "do not lock the account on this device.",
  });

export const loginRequest = z
  .object({
    email: z.string().min(1).max(320),
    password: z.string().min(1).max(1024),
    deviceToken,
  })
  .openapi("Login", { example: { email: EXAMPLE_USER.email, password: EXAMPLE_PASSWORD } });

export const refreshRequest = z
  .object({ refreshToken: z.string().min(1).max(1024) })
  .openapi("Refresh", { example: { refreshToken: EXAMPLE_REFRESH_TOKEN } });

export const selectProjectRequest = z
  .object({ projectId: id })
  .openapi("SelectProject", { example: { projectId: 1 } });

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

export const EXAMPLE_SESSION = {
  token: EXAMPLE_TOKEN,
  accessToken: EXAMPLE_TOKEN,
  refreshToken: EXAMPLE_REFRESH_TOKEN,
  user: EXAMPLE_USER,
};

const newDeviceToken = z.string().openapi({
  description:
    "Keep this token on the device and send it with the next login there. A response to a sign-in " +
    "contains it. It is valid for 180 days or until the password changes, and opens nothing.",
});

export const resetResponse = z
  .object({ ...userResponse.shape, deviceToken: newDeviceToken })
  .openapi("PasswordReset", { example: { ...EXAMPLE_USER, deviceToken: EXAMPLE_TOKEN } });

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
    deviceToken: newDeviceToken.optional(),
    mfaEnrollmentDeadline: timestamp.optional().openapi({
      description:
        "The user must set up a second factor before this time. Present only while a second factor " +
        "is required and the user has none.",
    }),
  })
  .openapi("Session", { example: EXAMPLE_SESSION });

export const EXAMPLE_FIRST_STEP = {
  mfaRequired: true,
  mfaToken: EXAMPLE_TOKEN,
  secondFactors: ["totp", "passkey"],
};

/** The response to a login with the right password if the user has a second factor. */
export const firstStepResponse = z
  .object({
    mfaRequired: z.literal(true),
    mfaToken: z.string(),
    secondFactors: z.array(z.enum(SECOND_FACTORS)).openapi({
      description:
        "The second factors of the user. `POST /api/v1/auth/mfa/verify` completes the sign-in with a " +
        "code (`totp`), and `POST /api/v1/auth/passkeys/sign-in` with a passkey.",
    }),
  })
  .openapi("MfaRequired", { example: EXAMPLE_FIRST_STEP });

export const toFirstStep = ({
  mfaToken,
  secondFactors,
}: FirstStep): z.infer<typeof firstStepResponse> => ({
  mfaRequired: true,
  mfaToken,
  secondFactors: [...secondFactors],
});

const { token, accessToken, user } = sessionResponse.shape;

export const projectSessionResponse = z
  .object({ token, accessToken, user, project: projectResponse })
  .openapi("ProjectSession", {
    example: {
      token: EXAMPLE_TOKEN,
      accessToken: EXAMPLE_TOKEN,
      user: EXAMPLE_USER,
      project: EXAMPLE_PROJECT,
    },
  });

export const toSelectedProject = (
  selected: SelectedProject,
  reader: Actor,
): z.infer<typeof projectSessionResponse> => ({
  token: selected.accessToken,
  accessToken: selected.accessToken,
  user: toUser(selected.user),
  project: toProject(selected.project, reader),
});

export const toSession = (session: NewSession): z.infer<typeof sessionResponse> => ({
  token: session.accessToken,
  accessToken: session.accessToken,
  refreshToken: session.refreshToken,
  user: toUser(session.user),
  ...(session.deviceToken !== undefined && { deviceToken: session.deviceToken }),
  ...(session.mfaEnrollmentDeadline !== undefined && {
    mfaEnrollmentDeadline: iso(session.mfaEnrollmentDeadline),
  }),
});
