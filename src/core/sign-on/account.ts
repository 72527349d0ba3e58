import { normalizeEmail } from "../lib/email.ts";
import { isObject } from "../lib/is-object.ts";
import { isEntra } from "./issuer.ts";
import { providerFault } from "./problem.ts";
import type { Provider } from "./provider.ts";

/** What a provider has proved about the person who signs in. */
export interface Account {
  readonly subject: string;
  /** The e-mail address in lower case; undefined if the provider names none. */
  readonly email: string | undefined;
  /** Whether the provider has checked that the mailbox belongs to the person. */
  readonly emailProved: boolean;
  /** The domain of the organisation at Google (`hd`). */
  readonly hostedDomain: string | undefined;
  readonly name: string | undefined;
  /** The groups of the person; undefined if the provider could not list them. */
  readonly groups: readonly string[] | undefined;
  /** Whether the provider says that it has checked a second factor (the claim `amr`). */
  readonly secondFactor: boolean;
  /** The id of the session at the provider. */
  readonly idpSession: string | undefined;
  /** When the person has authenticated at the provider, epoch seconds. */
  readonly authTime: number | undefined;
  /** When the proof expires, epoch milliseconds; undefined if the session may last longer. */
  readonly expiresAt: number | undefined;
}

export type Claims = Readonly<Record<string, unknown>>;

/** The values of `amr` (RFC 8176) that stand for a second factor. */
const SECOND_FACTORS = new Set(["mfa", "otp", "hwk"]);

const MAX_SUBJECT = 255;

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const textsOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value)
    ? value.filter((one) => typeof one === "string")
    : typeof value === "string"
      ? [value]
      : undefined;

/** Returns a claim by its name, or by a path with dots such as `realm_access.roles`. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split(".")
    .reduce<unknown>(
      (at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined),
      claims,
    );
}

/**
 * Returns the groups in a claim: none if the claim is missing, as providers leave it out for people
 * without groups. Undefined if Entra ID names the claim in `_claim_names`, because the person has too
 * many groups to list.
 */
export function groupsIn(
  { groupClaim }: Pick<Provider, "groupClaim">,
  ...sources: readonly Claims[]
): readonly string[] | undefined {
  if (groupClaim === null) return [];
  if (sources.some((claims) => omits(claims, groupClaim))) return undefined;
  return sources.map((claims) => textsOf(claimAt(claims, groupClaim))).find(Array.isArray) ?? [];
}

const omits = ({ _claim_names: names }: Claims, name: string): boolean =>
  isObject(names) && Object.hasOwn(names, name);

/** Whether an ID token has too little: no e-mail address, or no groups where they decide the role. */
export function needsUserInfo(
  { groupClaim, roles }: Pick<Provider, "groupClaim" | "roles">,
  claims: Claims,
): boolean {
  if (textOf(claims["email"]) === undefined) return true;
  if (groupClaim === null || roles.length === 0) return false;
  return claimAt(claims, groupClaim) === undefined && !omits(claims, groupClaim);
}

/**
 * Whether the e-mail address is proved. Only the value `true` counts: a provider that passes on what a
 * user has typed may send the text "true". Entra ID says it in `xms_edov`, as a boolean or as 1.
 */
const provesEmail = (claims: Claims, issuer: string): boolean =>
  isEntra(issuer)
    ? [true, 1, "1"].includes(claims["xms_edov"] as never)
    : claims["email_verified"] === true;

/**
 * Returns the account in the claims of an ID token. `info` has the claims of the UserInfo endpoint,
 * which count where the ID token has none. Throws: `SignOnError` without a usable subject.
 */
export function accountOf(
  provider: Pick<Provider, "issuer" | "groupClaim">,
  claims: Claims,
  info: Claims = {},
): Account {
  const { issuer } = provider;
  // At Entra ID, `sub` differs for each application, and `oid` is the same for all of a tenant.
  const subject = textOf(isEntra(issuer) ? claims["oid"] : claims["sub"]);
  if (subject === undefined || subject.length > MAX_SUBJECT)
    throw providerFault("The ID token has no usable subject");
  const mailed = textOf(claims["email"]) === undefined ? info : claims;
  const email = textOf(mailed["email"]);
  const authTime = claims["auth_time"];
  return {
    subject,
    email: email === undefined ? undefined : normalizeEmail(email),
    emailProved: email !== undefined && provesEmail(mailed, issuer),
    hostedDomain: textOf(claims["hd"]),
    name: textOf(claims["name"]) ?? textOf(info["name"]),
    groups: groupsIn(provider, claims, info),
    secondFactor: (textsOf(claims["amr"]) ?? []).some((one) => SECOND_FACTORS.has(one)),
    idpSession: textOf(claims["sid"]),
    authTime: typeof authTime === "number" ? authTime : undefined,
    expiresAt: undefined,
  };
}
