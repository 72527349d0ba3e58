import { notFound } from "../../core/errors/api-error.ts";
import type { Provider } from "../../core/sign-on/provider.ts";
import type { Visitor } from "../../access/call.ts";
import { findProviderBySlug, type ProviderRow } from "../../model/sign-on/provider-queries.ts";

/** A provider, and how to read its client secret. */
export interface FoundProvider {
  readonly provider: Provider;
  /** Returns the client secret; undefined if the provider has none. */
  readonly secret: () => Promise<string | undefined>;
}

/** A provider as administrators see it. */
export interface ShownProvider {
  readonly provider: Provider;
  /** The row in the database; undefined for a provider of the variable `SIGN_ON_PROVIDERS`. */
  readonly row: ProviderRow | undefined;
  readonly hasSecret: boolean;
  readonly callbackUrl: string | undefined;
}

type ProviderContext = Pick<Visitor, "db" | "signOn" | "vault">;

export const unknownProvider = () => notFound("The identity provider does not exist");

/**
 * Returns the provider with this slug: of the variable `SIGN_ON_PROVIDERS`, or else of the database.
 * Undefined if there is none.
 */
export async function findProvider(
  ctx: ProviderContext,
  slug: string,
): Promise<FoundProvider | undefined> {
  const configured = ctx.signOn.providers.find((one) => one.slug === slug);
  const ofVariable = ctx.signOn.secretOf(slug);
  if (configured) return { provider: configured, secret: async () => ofVariable };
  const row = await findProviderBySlug(ctx.db, slug);
  if (!row) return undefined;
  const { secret } = row;
  return {
    provider: row,
    secret: async () => (secret === null ? ofVariable : ctx.vault.open(secret)),
  };
}

export const callbackUrl = (publicUrl: string, slug: string): string =>
  new URL(`/api/v1/auth/sign-on/${slug}/callback`, publicUrl).href;
