import { asc, eq, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { identityProviders } from "../../db/schema/sign-on.ts";

export type ProviderRow = typeof identityProviders.$inferSelect;

export const listProviders = (db: ReadDb): Promise<ProviderRow[]> =>
  db.select().from(identityProviders).orderBy(asc(identityProviders.id));

export async function findProviderById(db: ReadDb, id: number): Promise<ProviderRow | undefined> {
  return (await db.select().from(identityProviders).where(eq(identityProviders.id, id)))[0];
}

export async function findProviderBySlug(
  db: ReadDb,
  slug: string,
): Promise<ProviderRow | undefined> {
  return (await db.select().from(identityProviders).where(eq(identityProviders.slug, slug)))[0];
}

export const providerIdBySlug = (slug: string) =>
  sql`(SELECT id FROM identity_providers WHERE slug = ${slug})`;

export const insertProvider = (provider: typeof identityProviders.$inferInsert) =>
  write.insert(identityProviders).values(provider);

export const updateProvider = (
  id: number,
  change: Partial<Omit<ProviderRow, "id" | "slug" | "type" | "version">>,
) =>
  write
    .update(identityProviders)
    .set({ ...change, version: sql`${identityProviders.version} + 1` })
    .where(eq(identityProviders.id, id));

export const deleteProvider = (id: number) =>
  write.delete(identityProviders).where(eq(identityProviders.id, id));

export const endSessionsOfIssuer = (issuer: string) =>
  sql`DELETE FROM sessions WHERE issuer = ${issuer}`;

/** The statement that makes the codes of an issuer invalid, so that no sign-in completes with them. */
export const deleteCodesOfIssuer = (issuer: string) =>
  sql`DELETE FROM sign_on_codes WHERE issuer = ${issuer} AND user_id IS NOT NULL`;
