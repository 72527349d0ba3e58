import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { CookieOptions } from "hono/utils/cookie";
import { bearerToken, openAtRate } from "../../http/access.ts";
import { FORM_TYPE } from "../../http/content-type.ts";
import { FORM_LIMITS } from "../../http/request-limits.ts";
import { body, empty, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { unauthorized } from "../../core/errors/api-error.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import {
  firstStepResponse,
  sessionResponse,
  toFirstStep,
  toSession,
} from "../auth/session-schema.ts";
import { signInWithAssertion } from "./assertion-service.ts";
import { CODE_COOKIE, FLOW_MS, flowCookie } from "./flow.ts";
import { endProviderSessions } from "./logout-service.ts";
import { signOnOptionResponse } from "./provider-schema.ts";
import { listWaysToSignIn } from "./provider-service.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

/** The routes with which users sign in at an identity provider. */
export const signOn = new Router<ManagementEnv>("Sign-on");

/** The limits of a logout: its token has up to 20,000 characters. */
const LOGOUT_LIMITS = { ...FORM_LIMITS, bytes: 32_768 };

/** The attributes of all cookies: their names begin with `__Host-`, and scripts cannot read them. */
const COOKIE = { prefix: "host", path: "/", secure: true, httpOnly: true } as const;

const setHostCookie = (
  c: Context,
  name: string,
  value: string,
  options: Pick<CookieOptions, "sameSite" | "maxAge">,
): void => setCookie(c, name, value, { ...COOKIE, ...options });

const deleteHostCookie = (c: Context, name: string): unknown => deleteCookie(c, name, COOKIE);

/** Returns the caller of a route that needs no token. Throws: 401 for an invalid token. */
async function optionalCaller(c: Context<ManagementEnv>) {
  const token = bearerToken(c.req.header("Authorization"));
  if (token === undefined) return undefined;
  const caller = await c.var.identify(token);
  if (!caller) throw unauthorized();
  return caller;
}

signOn.endpoint(
  "GET /",
  {
    operationId: "listSignOnOptions",
    summary: "List the identity providers with which users can sign in",
    ...openAtRate("session"),
    responses: {
      200: json(z.array(signOnOptionResponse), "The providers", "X-Password-Sign-In"),
      ...errors(),
    },
  },
  async (c) => {
    const { providers, passwordSignIn } = await listWaysToSignIn(c.var.deps);
    c.header("X-Password-Sign-In", passwordSignIn);
    return c.json(
      providers.map(({ slug, name, type }) => ({ slug, name, type })),
      200,
    );
  },
);

// Registers this route before `/{slug}`, which would match its path too.
signOn.endpoint(
  "POST /complete",
  {
    operationId: "completeSignOn",
    summary: "Complete a sign-in, after the provider has sent the browser back",
    description:
      "The cookie of the callback has a code that works once, within a minute. Returns what a login " +
      "returns.",
    ...openAtRate("session"),
    request: { body: body(schema.emptyRequest) },
    responses: {
      200: json(
        z.union([schema.completedResponse, schema.completedFirstStep]),
        "The session, or a token for the second step if the user has a second factor",
      ),
      ...errors(400, 401),
    },
  },
  async (c) => {
    const code = getCookie(c, CODE_COOKIE, "host");
    deleteHostCookie(c, CODE_COOKIE);
    const done = await service.completeSignOn(c.var.deps, { code });
    return c.json(schema.toCompleted(done), 200);
  },
);

signOn.endpoint(
  "POST /{slug}",
  {
    operationId: "beginSignOn",
    summary: "Begin a sign-in at an identity provider",
    description:
      "Sets a cookie that the callback needs. Send the browser to `url`; the provider sends it back " +
      "to the callback.",
    ...openAtRate("session"),
    request: { params: schema.slugParams, body: body(schema.beginRequest) },
    responses: {
      200: json(schema.beginResponse, "Where the browser goes"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const { slug } = c.req.valid("param");
    const caller = await optionalCaller(c);
    const input = { ...c.req.valid("json"), slug, caller };
    const { url, state, sealed } = await service.beginSignOn(c.var.deps, input);
    setHostCookie(c, flowCookie(state), sealed, { sameSite: "Lax", maxAge: FLOW_MS / 1000 });
    return c.json({ url }, 200);
  },
);

signOn.endpoint(
  "GET /{slug}/callback",
  {
    operationId: "continueSignOn",
    summary: "The redirect URI of an identity provider",
    description:
      "Redirects to `/sign-in/complete`, or to `/sign-in?problem=…`. The words are `denied`, " +
      "`expired`, `not-invited`, `not-verified`, `domain`, `disabled`, `link-first`, `conflict`, " +
      "`no-role`, `quota`, `unreachable` (the provider does not respond), `misconfigured` (the settings " +
      "of the provider are wrong) and `provider` (its response is not valid).",
    ...openAtRate("session"),
    request: { params: schema.slugParams, query: schema.callbackQuery },
    responses: {
      302: empty("The browser goes on at the dashboard", "Location"),
      ...errors(400),
    },
  },
  async (c) => {
    const { slug } = c.req.valid("param");
    const name = flowCookie(c.req.query("state") ?? "");
    const cookie = getCookie(c, name, "host");
    if (cookie !== undefined) deleteHostCookie(c, name);
    const query = new URL(c.req.url).search;
    const next = await service.continueSignOn(c.var.deps, { slug, cookie, query });
    const maxAge = service.CODE_MS / 1000;
    if (next.code !== undefined)
      setHostCookie(c, CODE_COOKIE, next.code, { sameSite: "Strict", maxAge });
    return c.redirect(next.location, 302);
  },
);

signOn.endpoint(
  "POST /{slug}/assertion",
  {
    operationId: "signInWithAssertion",
    summary: "Sign in behind Cloudflare Access",
    description: "Verifies the header `Cf-Access-Jwt-Assertion`, which Access adds to requests.",
    ...openAtRate("session"),
    request: { params: schema.slugParams, body: body(schema.assertionRequest) },
    responses: {
      200: json(
        z.union([sessionResponse, firstStepResponse, schema.errandResponse]),
        "The session, or a token for the second step; for another intent, the intent",
      ),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const { slug } = c.req.valid("param");
    const { intent, currentPassword } = c.req.valid("json");
    const assertion = c.req.header("Cf-Access-Jwt-Assertion");
    const caller = await optionalCaller(c);
    const input = { slug, assertion, caller, intent, currentPassword };
    const session = await signInWithAssertion(c.var.deps, input);
    if (!session) return c.json({ intent }, 200);
    if ("mfaToken" in session) return c.json(toFirstStep(session), 200);
    return c.json(toSession(session), 200);
  },
);

signOn.endpoint(
  "POST /{slug}/logout",
  {
    operationId: "endProviderSessions",
    summary: "Back-channel logout, which an identity provider calls",
    description: "Ends the sessions that the logout token names by `sid`, or else by `sub`.",
    ...openAtRate("session", LOGOUT_LIMITS),
    request: {
      params: schema.slugParams,
      body: {
        required: true,
        content: { [FORM_TYPE]: { schema: schema.logoutRequest } },
      },
    },
    responses: { 200: empty("The sessions have ended"), ...errors(400, 404) },
  },
  async (c) => {
    const { slug } = c.req.valid("param");
    const { logout_token: token } = c.req.valid("form");
    await endProviderSessions(c.var.deps, { slug, token });
    return c.body(null, 200);
  },
);
