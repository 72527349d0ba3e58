import { z } from "@hono/zod-openapi";
import { isoOrNull, iso, timestamp } from "../../http/schema.ts";
import { currentPassword as passwordSchema } from "../auth/schema.ts";
import {
  EXAMPLE_FIRST_STEP,
  EXAMPLE_SESSION,
  firstStepResponse,
  sessionResponse,
  toFirstStep,
  toSession,
} from "../auth/session-schema.ts";
import { INTENTS } from "./flow.ts";
import type { OwnIdentity } from "./identity-service.ts";
import type { Completed } from "./service.ts";

export const slugParams = z.object({
  slug: z.string().min(1).max(100).openapi({ example: "okta" }),
});

const intent = z
  .enum(INTENTS)
  .default("signIn")
  .openapi({
    description:
      "What the sign-in is for. `link` links the account to the signed-in user, `confirm` replaces " +
      "`currentPassword` for ten minutes, and `test` lets an administrator try the provider; all " +
      "three need an access token.",
  });

const currentPassword = passwordSchema.optional().openapi({
  description:
    "Needed with the intent `link`, unless the session began, or the identity provider has confirmed " +
    "the user, within the last ten minutes",
});

export const beginRequest = z
  .object({
    returnTo: z.string().max(4000).optional().openapi({
      description: "The path of the dashboard to which the sign-in returns. Default: `/`",
    }),
    intent,
    currentPassword,
    invitation: z.string().min(1).max(1024).optional().openapi({
      description: "The token of an invitation link, which the sign-in accepts",
    }),
  })
  .openapi("BeginSignOn", { example: { returnTo: "/flags", intent: "signIn" } });

export const beginResponse = z
  .object({ url: z.string().openapi({ description: "Send the browser to this URL" }) })
  .openapi("SignOnStart", {
    example: { url: "https://example.okta.com/oauth2/v1/authorize?client_id=0oa1b2c3d4" },
  });

/** The providers' parameters of a callback. Others are ignored. */
export const callbackQuery = z.looseObject({});

export const emptyRequest = z.object({}).openapi("CompleteSignOn", { example: {} });

const returnTo = z.string().openapi({ description: "The path of the dashboard to go to" });

export const completedResponse = z
  .object({ ...sessionResponse.shape, returnTo })
  .openapi("CompletedSignOn", { example: { ...EXAMPLE_SESSION, returnTo: "/" } });

export const completedFirstStep = z
  .object({ ...firstStepResponse.shape, returnTo })
  .openapi("SignOnMfaRequired", {
    example: { ...EXAMPLE_FIRST_STEP, returnTo: "/" },
  });

export const toCompleted = (done: Completed) =>
  "mfaToken" in done
    ? { ...toFirstStep(done), returnTo: done.returnTo }
    : { ...toSession(done), returnTo: done.returnTo };

export const assertionRequest = z
  .object({ intent, currentPassword })
  .openapi("SignOnAssertion", { example: { intent: "signIn" } });

export const errandResponse = z
  .object({ intent: z.enum(INTENTS) })
  .openapi("SignOnErrand", { example: { intent: "link" } });

export const logoutRequest = z
  .object({ logout_token: z.string().min(1).max(20_000) })
  .openapi("BackChannelLogout", { example: { logout_token: "eyJhbGciOiJSUzI1NiJ9.e30.c2ln" } });

export const identityParams = z.object({
  identityId: z.string().min(1).max(100).openapi({ example: "b25lIGlkZW50aXR5" }),
});

export const identityResponse = z
  .object({
    id: z.string(),
    issuer: z.string(),
    provider: z
      .object({ slug: z.string(), name: z.string() })
      .nullable()
      .openapi({ description: "Null if no provider has this issuer any more" }),
    email: z.string().nullable(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .openapi("Identity", {
    example: {
      id: "b25lIGlkZW50aXR5",
      issuer: "https://example.okta.com",
      provider: { slug: "okta", name: "Okta" },
      email: "ann@example.com",
      createdAt: "2026-01-02T03:04:05.678Z",
      lastUsedAt: "2026-01-02T03:04:05.678Z",
    },
  });

export const toIdentity = (own: OwnIdentity): z.infer<typeof identityResponse> => ({
  id: own.id,
  issuer: own.issuer,
  provider: own.provider ? { slug: own.provider.slug, name: own.provider.name } : null,
  email: own.email,
  createdAt: iso(own.createdAt),
  lastUsedAt: isoOrNull(own.lastUsedAt),
});
