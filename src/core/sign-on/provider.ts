import type { Role } from "@feature-flags/permissions/permissions";
import type { FieldError } from "../errors/api-error.ts";
import { GITHUB_ISSUER, issuerError } from "./issuer.ts";

export const PROVIDER_TYPES = ["oidc", "github", "access"] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

export const PROVISIONING = ["invited", "justInTime"] as const;
export const SECOND_FACTORS = ["local", "amr", "provider"] as const;

/** The role that the members of a group at an identity provider get. */
export interface GroupRole {
  readonly group: string;
  readonly role: Role;
}

/** An identity provider, as administrators configure it. */
export interface Provider {
  /** Names the provider in URLs. */
  readonly slug: string;
  readonly name: string;
  readonly type: ProviderType;
  readonly enabled: boolean;
  /** For `access`: the team domain. */
  readonly issuer: string;
  /** For `access`: the AUD tag of the application. */
  readonly clientId: string;
  /** The domains of e-mail addresses by which users are recognised, in lower case. */
  readonly domains: readonly string[];
  /** Whether a sign-in creates a user, or only invited users get in. */
  readonly provisioning: (typeof PROVISIONING)[number];
  /**
   * Whose second factor counts: the one of this service, the one that the provider names in the
   * claim `amr`, or any sign-in at the provider.
   */
  readonly secondFactor: (typeof SECOND_FACTORS)[number];
  /** The role of users who are in no group of `roles`. Null refuses them. */
  readonly defaultRole: "VIEWER" | "DEVELOPER" | null;
  /** The claim with the groups of the user; null if groups do not decide the role. */
  readonly groupClaim: string | null;
  readonly roles: readonly GroupRole[];
  /** Whether an active user is recognised by the e-mail address at the first sign-in. */
  readonly linkByEmail: boolean;
  /** How long a session lasts at most, hours. */
  readonly sessionHours: number;
}

/**
 * Returns why a provider does not fit together, for each field; empty if it does. `allowHttp`
 * permits issuers with http on this machine.
 */
export function providerErrors(
  {
    type: kind,
    issuer,
    groupClaim,
    roles,
  }: Pick<Provider, "type" | "issuer" | "groupClaim" | "roles">,
  allowHttp: boolean,
): readonly FieldError[] {
  const wrong =
    kind === "github" && issuer !== GITHUB_ISSUER
      ? `must be ${GITHUB_ISSUER}`
      : issuerError(issuer, allowHttp);
  const needsClaim = kind !== "github" && roles.length > 0 && groupClaim === null;
  return [
    ...(wrong === undefined ? [] : [{ field: "issuer", message: wrong }]),
    ...(needsClaim
      ? [{ field: "groupClaim", message: "must name a claim if roles are given" }]
      : []),
  ];
}

/** Returns the provider of a request body, with the issuer that its type has if none is given. */
export const withIssuer = ({
  issuer,
  ...rest
}: Omit<Provider, "issuer"> & { readonly issuer?: string | undefined }): Provider => ({
  ...rest,
  issuer: issuer ?? (rest.type === "github" ? GITHUB_ISSUER : ""),
});
