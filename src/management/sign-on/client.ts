import { logError } from "../../http/log.ts";
import type { Visitor } from "../../access/call.ts";
import type { Intent } from "./flow.ts";
import type { Client } from "./discovery.ts";
import { findProvider, type FoundProvider, unknownProvider } from "./providers.ts";

/** Returns a provider with what a request to it needs. */
export async function clientOf(ctx: Visitor, { provider, secret }: FoundProvider): Promise<Client> {
  const { allowHttp } = ctx.signOn;
  return { provider, secret: await secret(), allowHttp, now: ctx.now() };
}

/** Returns the provider for a flow. Throws: 404 if it does not exist, or is disabled. */
export async function providerFor(ctx: Visitor, slug: string, intent: Intent) {
  const found = await findProvider(ctx, slug);
  // Administrators try a provider before they enable it.
  if (!found || (!found.provider.enabled && intent !== "test")) throw unknownProvider();
  return found;
}

/** Logs what a provider did wrong. Users see only the word of the problem. */
export function logFault({ request }: Visitor, slug: string, error: unknown): void {
  const what = `The sign-in at the identity provider ${slug} failed`;
  logError("WARN", "app.sign-on", { traceId: request.traceId, what, error });
}
