import { normalizeEmail } from "../lib/email.ts";
import { isObject } from "../lib/is-object.ts";
import { isEntra } from "./issuer.ts";
import { providerFault } from "../errors/sign-on-problem.ts";
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

/**
 * Returns a claim by its name, or by a path with dots such as `realm_access.roles`. Names in a path may
 * have dots themselves, such as the client id in `resource_access.my.client.roles`: the longest name that
 * leads to a claim counts.
 */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const name = path.slice(0, dot);
    const at = Object.hasOwn(claims, name) ? claims[name] : undefined;
    const found = isObject(at) ? claimAt(at, path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
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
  return textsOf(claimAt(claims, groupClaim)) === undefined && !omits(claims, groupClaim);
}

/**
 * Whether an ID token does not say if its e-mail address is proved, and UserInfo may say it. Entra ID
 * never does.
 */
export const lacksProof = ({ issuer }: Pick<Provider, "issuer">, claims: Claims): boolean =>
  !isEntra(issuer) && !saysProof(claims, issuer);

/** The name of the claim that says whether the e-mail address is proved. */
const proofClaim = (issuer: string) => (isEntra(issuer) ? "xms_edov" : "email_verified");

const saysProof = (claims: Claims, issuer: string): boolean =>
  (claims[proofClaim(issuer)] ?? undefined) !== undefined;

/**
 * Whether the e-mail address is proved. Only the value `true` counts: a provider that passes on what a
 * user has typed may send the text "true". Entra ID says it as a boolean or as 1.
 */
const provesEmail = (claims: Claims, issuer: string): boolean =>
  isEntra(issuer)
    ? [true, 1, "1"].includes(claims[proofClaim(issuer)] as never)
    : claims[proofClaim(issuer)] === true;

const emailIn = (claims: Claims): string | undefined => {
  const email = textOf(claims["email"]);
  return email === undefined ? undefined : normalizeEmail(email);
};

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
  const email = emailIn(claims) ?? emailIn(info);
  // Both describe the same person, but UserInfo may have another address, whose proof does not count.
  const proofs = [claims, info].filter(
    (one) => saysProof(one, issuer) && (emailIn(one) ?? email) === email,
  );
  const authTime = claims["auth_time"];
  return {
    subject,
    email,
    emailProved:
      email !== undefined && proofs.length > 0 && proofs.every((one) => provesEmail(one, issuer)),
    hostedDomain: textOf(claims["hd"]) ?? textOf(info["hd"]),
    name: textOf(claims["name"]) ?? textOf(info["name"]),
    groups: groupsIn(provider, claims, info),
    secondFactor: (textsOf(claims["amr"]) ?? []).some((one) => SECOND_FACTORS.has(one)),
    idpSession: textOf(claims["sid"]),
    authTime: typeof authTime === "number" ? authTime : undefined,
    expiresAt: undefined,
  };
}
