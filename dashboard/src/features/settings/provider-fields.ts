import type { Role, Schemas } from "../../shared/api/types.ts";
import type { Row } from "../../shared/rows/use-rows.ts";
import { PRESETS } from "./presets.ts";

export type Provider = Schemas["IdentityProvider"];

export type ProviderFields = {
  type: Provider["type"];
  slug: string;
  name: string;
  enabled: boolean;
  issuer: string;
  clientId: string;
  /** Empty if a stored secret stays. */
  clientSecret: string;
  /** Whether to remove a stored secret. */
  removesSecret: boolean;
  domains: string[];
  provisioning: Provider["provisioning"];
  secondFactor: Provider["secondFactor"];
  /** `refuse` stands for the default role null of the API. */
  defaultRole: NonNullable<Provider["defaultRole"]> | "refuse";
  /** Empty if groups do not decide the role. */
  groupClaim: string;
  linkByEmail: boolean;
  /** A string while the text of the input is not a number. */
  sessionHours: number | string;
};

/** A row of the form that maps a group at the provider to a role. */
export interface GroupRow extends Row {
  readonly group: string;
  readonly role: Role;
}

export const newGroupRow = (): GroupRow => ({
  id: crypto.randomUUID(),
  errors: {},
  group: "",
  role: "VIEWER",
});

export const groupRowsOf = ({ roles }: Provider): GroupRow[] =>
  roles.map(({ group, role }) => Object.assign(newGroupRow(), { group, role }));

/** The fields of a new provider: the defaults of the API, but off until a test has succeeded. */
export const NEW_FIELDS: ProviderFields = {
  ...PRESETS.google,
  enabled: false,
  clientId: "",
  clientSecret: "",
  removesSecret: false,
  domains: [],
  provisioning: "invited",
  secondFactor: "local",
  defaultRole: "VIEWER",
  linkByEmail: true,
  sessionHours: 24,
};

export const fieldsOf = (provider: Provider): ProviderFields => ({
  type: provider.type,
  slug: provider.slug,
  name: provider.name,
  enabled: provider.enabled,
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: "",
  removesSecret: false,
  domains: provider.domains,
  provisioning: provider.provisioning,
  secondFactor: provider.secondFactor,
  defaultRole: provider.defaultRole ?? "refuse",
  groupClaim: provider.groupClaim ?? "",
  linkByEmail: provider.linkByEmail,
  sessionHours: provider.sessionHours,
});

/** Returns the fields of a request body that a new provider and a change have in common. */
function toBody(fields: ProviderFields, groups: readonly GroupRow[]) {
  const { type, defaultRole, groupClaim, clientSecret, removesSecret } = fields;
  return {
    name: fields.name.trim(),
    enabled: fields.enabled,
    // The service knows the issuer of GitHub.
    ...(type !== "github" && { issuer: fields.issuer.trim() }),
    clientId: fields.clientId.trim(),
    ...(removesSecret ? { clientSecret: null } : clientSecret !== "" && { clientSecret }),
    domains: fields.domains,
    provisioning: fields.provisioning,
    secondFactor: fields.secondFactor,
    defaultRole: defaultRole === "refuse" ? null : defaultRole,
    groupClaim: groupClaim.trim() === "" ? null : groupClaim.trim(),
    roles: groups.map(({ group, role }) => ({ group: group.trim(), role })),
    linkByEmail: fields.linkByEmail,
    sessionHours: Number(fields.sessionHours),
  } satisfies Schemas["UpdateIdentityProvider"];
}

export const toNew = (
  fields: ProviderFields,
  groups: readonly GroupRow[],
): Schemas["CreateIdentityProvider"] => ({
  ...toBody(fields, groups),
  slug: fields.slug.trim(),
  type: fields.type,
});

export const toChange: (
  fields: ProviderFields,
  groups: readonly GroupRow[],
) => Schemas["UpdateIdentityProvider"] = toBody;

/** The name of a provider in URLs, as the API checks it. */
export const isSlug = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,63}$/.test(text);

export const isDomain = (text: string): boolean => /^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/i.test(text);

/**
 * Returns the URLs that the provider must know: `callback`, the redirect URI, and for OpenID Connect
 * `logout`, with which the provider ends sessions. Undefined for Cloudflare Access.
 */
export function urlsOf(
  provider: Pick<Provider, "type" | "slug"> & Partial<Pick<Provider, "callbackUrl">>,
): { callback: string; logout: string | undefined } | undefined {
  const { type, slug } = provider;
  if (type === "access") return undefined;
  const path = `/api/v1/auth/sign-on/${slug}/callback`;
  // Without `PUBLIC_URL`, the service uses the origin of the request.
  const callback = provider.callbackUrl ?? `${globalThis.location.origin}${path}`;
  return { callback, logout: type === "oidc" ? new URL("logout", callback).href : undefined };
}
