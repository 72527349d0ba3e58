import { type Role, roleIncludes } from "@feature-flags/permissions/permissions";
import type { Account } from "./account.ts";
import type { Problem } from "../errors/sign-on-problem.ts";
import type { Provider } from "./provider.ts";

/** What the rules read about a user. */
export interface Candidate {
  readonly email: string;
  readonly role: Role;
  readonly status: "INVITED" | "ACTIVE" | "DISABLED";
  /** Whether groups do not change the role: a break-glass user, or the last administrator. */
  readonly keepsRole: boolean;
  /** Whether the user has an account at the issuer. */
  readonly isLinked: boolean;
}

/** The users whom an account may belong to. */
export interface Candidates {
  /** The user to whom the account is linked. */
  readonly linked: Candidate | undefined;
  /** The invited user whose invitation link the person has opened. */
  readonly invited: Candidate | undefined;
  /** The user with the e-mail address of the account. */
  readonly sameEmail: Candidate | undefined;
}

/** What a sign-in does. `role` is the role that the user gets; undefined: the user keeps the role. */
export type Decision =
  | { readonly problem: Problem }
  | { readonly action: "sign-in"; readonly role: Role | undefined }
  | {
      readonly action: "link";
      readonly who: "invited" | "sameEmail";
      readonly role: Role | undefined;
    }
  | { readonly action: "create"; readonly role: Role };

const GOOGLE = "https://accounts.google.com";

/** A free address at Google, whose account belongs to no organisation. */
const GMAIL = "gmail.com";

/** Decides what a sign-in with an account of a provider does. */
export function decide(provider: Provider, account: Account, candidates: Candidates): Decision {
  const { linked, invited, sameEmail } = candidates;
  if (linked) {
    if (linked.status !== "ACTIVE") return { problem: "disabled" };
    return withRole(provider, account, linked, { action: "sign-in" });
  }
  if (invited?.status === "INVITED") {
    // The link proves the mailbox of the invitation, so an address that equals it needs no proof.
    const problem = account.email === invited.email ? undefined : emailProblem(provider, account);
    if (problem !== undefined) return { problem };
    if (sameEmail && sameEmail.email !== invited.email) return { problem: "conflict" };
    return linking(provider, account, "invited", invited);
  }
  const problem = emailProblem(provider, account);
  if (problem !== undefined) return { problem };
  if (sameEmail) {
    if (sameEmail.status === "DISABLED") return { problem: "disabled" };
    // An administrator's rights must not depend on what a provider says about an e-mail address.
    if (sameEmail.role === "ADMIN") return { problem: "link-first" };
    if (sameEmail.status === "ACTIVE" && !provider.linkByEmail) return { problem: "link-first" };
    return linking(provider, account, "sameEmail", sameEmail);
  }
  if (provider.provisioning === "invited") return { problem: "not-invited" };
  const role = groupRole(provider, account) ?? provider.defaultRole;
  return role === null || role === "refuse" ? { problem: "no-role" } : { action: "create", role };
}

function linking(
  provider: Provider,
  account: Account,
  who: "invited" | "sameEmail",
  user: Candidate,
): Decision {
  if (user.isLinked) return { problem: "conflict" };
  return withRole(provider, account, user, { action: "link", who });
}

type WithoutRole =
  | { readonly action: "sign-in" }
  | { readonly action: "link"; readonly who: "invited" | "sameEmail" };

function withRole(
  provider: Provider,
  account: Account,
  user: Candidate,
  decision: WithoutRole,
): Decision {
  const role = user.keepsRole ? undefined : groupRole(provider, account);
  if (role === "refuse") return { problem: "no-role" };
  return { ...decision, role: role === user.role ? undefined : role };
}

/**
 * Returns the highest role of the groups, or else the default role, or else "refuse". Undefined if
 * groups do not decide the role.
 */
export function groupRole(
  { roles, defaultRole }: Pick<Provider, "roles" | "defaultRole">,
  { groups }: Pick<Account, "groups">,
): Role | "refuse" | undefined {
  if (roles.length === 0) return undefined;
  // Without the list, a member of a group would get the default role, which may be a higher one.
  if (groups === undefined) return "refuse";
  const found = roles.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  const highest = found.find((role) => found.every((other) => roleIncludes(role, other)));
  return highest ?? defaultRole ?? "refuse";
}

/** Returns why a user cannot be recognised by the e-mail address of an account. */
export function emailProblem(
  { issuer, domains }: Pick<Provider, "issuer" | "domains">,
  { email, emailProved, hostedDomain }: Account,
): "not-verified" | "domain" | undefined {
  if (email === undefined || !emailProved) return "not-verified";
  const domain = email.slice(email.lastIndexOf("@") + 1);
  if (!domains.includes(domain)) return "domain";
  // A Google account can have an address of a company that does not manage the account.
  const isManaged = issuer !== GOOGLE || domain === GMAIL || hostedDomain?.toLowerCase() === domain;
  return isManaged ? undefined : "domain";
}
