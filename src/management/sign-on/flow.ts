import { z } from "@hono/zod-openapi";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { SignOnError } from "../../core/errors/sign-on-problem.ts";
import type { Vault } from "../../access/ports/vault.ts";

/**
 * What a sign-in at a provider is for: to sign in, to link the account to the signed-in user, to
 * confirm the signed-in user for a change of the account, or to try the provider.
 */
export const INTENTS = ["signIn", "link", "confirm", "test"] as const;
export type Intent = (typeof INTENTS)[number];

/** How long a person may take at the provider, milliseconds. */
export const FLOW_MS = 10 * MINUTE_MS;

const flowSchema = z.object({
  slug: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  intent: z.enum(INTENTS),
  returnTo: z.string(),
  /** When the person left for the provider, epoch milliseconds. */
  startedAt: z.number(),
  /** The session that has begun the flow; undefined for a sign-in. */
  session: z.object({ id: z.string(), userId: z.number() }).optional(),
  /** The hash of the token of an invitation link. */
  invitation: z.string().optional(),
});

/** A sign-in that has begun, as the browser keeps it in an encrypted cookie until the callback. */
export type Flow = z.infer<typeof flowSchema>;

/** The name of the cookie of a flow. Several tabs may sign in at the same time. */
export const flowCookie = (state: string): string => `sso-${state.slice(0, 12)}`;

/** The name of the cookie with the code that completes a sign-in. */
export const CODE_COOKIE = "sso-code";

export const sealFlow = (vault: Vault, flow: Flow): Promise<string> =>
  vault.seal(JSON.stringify(flow));

/**
 * Returns the flow that a callback continues. Throws: `SignOnError` (`expired`) without the cookie,
 * after ten minutes, and for a cookie of another flow.
 */
export async function openFlow(
  vault: Vault,
  callback: { readonly cookie: string | undefined; readonly slug: string; readonly state: string },
  now: number,
): Promise<Flow> {
  const text = callback.cookie && (await vault.open(callback.cookie).catch(() => undefined));
  const read = flowSchema.safeParse(text ? JSON.parse(text) : undefined);
  if (!read.success) throw new SignOnError("expired");
  const { slug, state, startedAt } = read.data;
  if (slug !== callback.slug || state !== callback.state || startedAt + FLOW_MS <= now)
    throw new SignOnError("expired");
  return read.data;
}
