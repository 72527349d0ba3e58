import type { AuditAction } from "../../core/audit/actions.ts";
import { ApiError, conflict, invalid } from "../../core/errors/api-error.ts";
import { SignOnError } from "../../core/errors/sign-on-problem.ts";
import { type Provider, providerErrors, withIssuer } from "../../core/sign-on/provider.ts";
import { identityProviders } from "../../db/schema/sign-on.ts";
import {
  type Call,
  type Reading,
  reads,
  type RequestCall,
  type Visitor,
  writes,
} from "../../access/call.ts";
import type { ById, ByIdIfMatch, ChangeOf } from "../../core/lib/input.ts";
import { optimisticUpdate, unchanged } from "../../model/optimistic-update.ts";
import { findSettings, type SettingsRow } from "../../model/settings/queries.ts";
import * as queries from "../../model/sign-on/provider-queries.ts";
import type { ProviderRow } from "../../model/sign-on/provider-queries.ts";
import { assertResponds } from "./discovery.ts";
import { callbackUrl, type ShownProvider, unknownProvider } from "./providers.ts";

type ProviderCall = Call & Pick<RequestCall, "signOn" | "vault">;

const duplicate = conflict("An identity provider with this slug exists");

/** The fields of a provider that can change. */
const providerContent = (provider: Provider) => ({
  name: provider.name,
  enabled: provider.enabled,
  issuer: provider.issuer,
  clientId: provider.clientId,
  domains: provider.domains,
  provisioning: provider.provisioning,
  secondFactor: provider.secondFactor,
  defaultRole: provider.defaultRole,
  groupClaim: provider.groupClaim,
  roles: provider.roles,
  linkByEmail: provider.linkByEmail,
  sessionHours: provider.sessionHours,
});

const audited = (
  action: AuditAction,
  entityId: number | ReturnType<typeof queries.providerIdBySlug>,
) => ({ action, category: "security", entityType: "identity-provider", entityId }) as const;

function shown(
  { signOn, publicUrl }: Pick<ProviderCall, "signOn" | "publicUrl">,
  provider: Provider,
  row?: ProviderRow,
): ShownProvider {
  const hasUrl = publicUrl !== undefined && provider.type !== "access";
  return {
    provider,
    row,
    hasSecret: (row?.secret ?? null) !== null || signOn.secretOf(provider.slug) !== undefined,
    callbackUrl: hasUrl ? callbackUrl(publicUrl, provider.slug) : undefined,
  };
}

/** Returns all providers, those of the variable `SIGN_ON_PROVIDERS` first. */
export async function listProviders(call: ProviderCall): Promise<ShownProvider[]> {
  const ctx = reads(call, "settings:read");
  const rows = await queries.listProviders(ctx.db);
  return [
    ...ctx.signOn.providers.map((provider) => shown(ctx, provider)),
    ...rows.map((row) => shown(ctx, row, row)),
  ];
}

/** How users can sign in: the providers, and who may use a password. */
interface WaysToSignIn extends Pick<SettingsRow, "passwordSignIn"> {
  readonly providers: readonly Provider[];
}

export async function listWaysToSignIn(ctx: Pick<Visitor, "db" | "signOn">): Promise<WaysToSignIn> {
  const configured = ctx.signOn.providers;
  const [rows, { passwordSignIn }] = await Promise.all([
    queries.listProviders(ctx.db),
    findSettings(ctx.db),
  ]);
  const others = rows.filter(({ slug }) => configured.every((one) => one.slug !== slug));
  const providers = [...configured, ...others].filter(({ enabled }) => enabled);
  return { providers, passwordSignIn };
}

/** Returns the provider with this id. Throws: 404 for an unknown id. */
export async function getProvider(call: ProviderCall, { id }: ById): Promise<ShownProvider> {
  const ctx = reads(call, "settings:read");
  const row = await find(ctx, id);
  return shown(ctx, row, row);
}

async function find({ db }: Pick<Reading, "db">, id: number): Promise<ProviderRow> {
  const row = await queries.findProviderById(db, id);
  if (!row) throw unknownProvider();
  return row;
}

function assertFits(call: ProviderCall, provider: Provider): void {
  const wrong = providerErrors(provider, call.signOn.allowHttp);
  if (wrong.length > 0) throw invalid(wrong);
}

/**
 * Asks the provider for its configuration, if the request wants that. Throws: 400 with the cause, and with
 * the problem `provider`, by which callers tell that they may save the provider without the check.
 */
async function check(
  ctx: ProviderCall & { readonly now: () => number },
  provider: Provider,
  isAsked: boolean | undefined,
): Promise<void> {
  if (isAsked !== true) return;
  const { allowHttp } = ctx.signOn;
  try {
    await assertResponds({ provider, secret: undefined, allowHttp, now: ctx.now() });
  } catch (error) {
    if (!(error instanceof SignOnError)) throw error;
    const { message, problem } = error;
    const details = [{ field: "issuer", message }];
    throw new ApiError("VALIDATION_ERROR", message, { details, problem });
  }
}

/**
 * Adds a provider. Throws: 400 if the issuer is not a public https URL, or if `check` is true and the
 * provider does not respond; 409 if a provider has the slug.
 */
export async function createProvider(
  call: ProviderCall,
  input: Omit<Provider, "issuer"> & {
    readonly issuer?: string | undefined;
    readonly clientSecret?: string | null | undefined;
    readonly check?: boolean | undefined;
  },
): Promise<ShownProvider> {
  const ctx = writes(call, "settings:write", { projectId: null });
  const { clientSecret = null, check: isChecked, ...given } = input;
  const provider = withIssuer(given);
  assertFits(ctx, provider);
  const { slug, type } = provider;
  if (ctx.signOn.providers.some((one) => one.slug === slug)) throw duplicate;
  await check(ctx, provider, isChecked);
  const now = ctx.now();
  const secret = clientSecret === null ? null : await ctx.vault.seal(clientSecret);
  const content = providerContent(provider);
  await ctx.commit({
    statements: [
      queries.insertProvider({ slug, type, ...content, secret, createdAt: now, updatedAt: now }),
    ],
    audit: [
      {
        ...audited("identity-provider.created", queries.providerIdBySlug(slug)),
        after: { slug, type, ...content, hasSecret: secret !== null },
      },
    ],
    onDuplicate: duplicate,
  });
  const row = await queries.findProviderBySlug(ctx.db, slug);
  if (!row) throw unknownProvider();
  return shown(ctx, row, row);
}

/**
 * Changes a provider. A new issuer ends the sessions that began at the earlier one.
 * Throws: 404 for an unknown id; 400 if the issuer is not a public https URL, or if `check` is true and
 * the provider does not respond; 412 if `ifMatch` does not contain the version of the provider.
 */
export async function updateProvider(
  call: ProviderCall,
  input: ByIdIfMatch &
    ChangeOf<ReturnType<typeof providerContent>> & {
      readonly clientSecret?: string | null | undefined;
      readonly check?: boolean | undefined;
    },
): Promise<ShownProvider> {
  const { id, ifMatch, clientSecret, check: isChecked, ...changes } = input;
  const ctx = writes(call, "settings:write", { projectId: null });
  const read = () => find(ctx, id);
  const given = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<Provider>;
  // Seals the secret once. A repeated attempt would otherwise encrypt it again.
  const sealed = typeof clientSecret === "string" ? await ctx.vault.seal(clientSecret) : null;
  await optimisticUpdate({
    ifMatch,
    read,
    write: async (row) => {
      const provider: Provider = { ...row, ...given };
      assertFits(ctx, provider);
      await check(ctx, provider, isChecked);
      const secret = clientSecret === undefined ? row.secret : sealed;
      const content = providerContent(provider);
      const moved = provider.issuer !== row.issuer;
      await ctx.commit({
        guards: [unchanged(identityProviders, row)],
        statements: [
          queries.updateProvider(id, { ...content, secret, updatedAt: ctx.now() }),
          ...(moved ? sessionsEnd(row) : []),
        ],
        audit: [
          {
            ...audited("identity-provider.updated", id),
            before: { ...providerContent(row), hasSecret: row.secret !== null },
            after: {
              ...content,
              hasSecret: secret !== null,
              ...(typeof clientSecret === "string" && { clientSecret: "changed" }),
            },
          },
        ],
      });
    },
  });
  const row = await read();
  return shown(ctx, row, row);
}

const sessionsEnd = ({ issuer }: ProviderRow) => [
  queries.endSessionsOfIssuer(issuer),
  queries.deleteCodesOfIssuer(issuer),
];

/**
 * Deletes a provider, and ends the sessions that began at its issuer. The identities stay.
 * Throws: 404 for an unknown id, 412 if `ifMatch` does not contain the version of the provider.
 */
export async function deleteProvider(
  call: ProviderCall,
  { id, ifMatch }: ByIdIfMatch,
): Promise<void> {
  const ctx = writes(call, "settings:write", { projectId: null });
  await optimisticUpdate({
    ifMatch,
    read: () => find(ctx, id),
    write: (row) =>
      ctx.commit({
        guards: [unchanged(identityProviders, row)],
        statements: [queries.deleteProvider(id), ...sessionsEnd(row)],
        audit: [
          {
            ...audited("identity-provider.deleted", id),
            before: { slug: row.slug, type: row.type, ...providerContent(row) },
          },
        ],
      }),
  });
}
