import type { Scope } from "@feature-flags/permissions/permissions";
import type { Environment, Role } from "../api/types.ts";

/** In which environments a token changes flags. */
export const REACHES = ["withoutProduction", "all", "chosen"] as const;
export type Reach = (typeof REACHES)[number];

/** The maximum number of projects or environments of a token. The API rejects more. */
export const MAX_LISTED = 200;

/** What the inputs say about the rights of a token. */
export type Rights = {
  scopes: Scope[];
  /** The projects of the token. Empty: all. */
  projectIds: number[];
  reach: Reach;
  /** The chosen environments. They count only with the reach `chosen`. */
  environmentIds: number[];
};

/** The initial values of the inputs, with these scopes. */
export const initialRights = (scopes: Scope[]): Rights => ({
  scopes,
  projectIds: [],
  reach: "withoutProduction",
  environmentIds: [],
});

/** Returns the environments of the projects of a token. */
export const offeredEnvironments = (
  environments: readonly Environment[],
  projectIds: readonly number[],
): readonly Environment[] =>
  projectIds.length === 0
    ? environments
    : environments.filter(({ projectId }) => projectIds.includes(projectId));

/**
 * Returns the environments to which a token is limited, and null for no limit. A limit only affects
 * tokens that write.
 */
export function limitOf(
  { scopes, projectIds, reach, environmentIds }: Rights,
  environments: readonly Environment[],
): readonly number[] | null {
  if (reach === "all" || !scopes.includes("write")) return null;
  return offeredEnvironments(environments, projectIds)
    .filter(({ id, production }) =>
      reach === "chosen" ? environmentIds.includes(id) : !production,
    )
    .map(({ id }) => id);
}

/** Returns the rights as the API takes them. */
export function rightsOf(rights: Rights, environments: readonly Environment[]) {
  const { scopes, projectIds } = rights;
  const limit = limitOf(rights, environments);
  return {
    scopes,
    projectIds: projectIds.length === 0 ? null : projectIds,
    environmentIds: limit && [...limit],
  };
}

/**
 * The scopes of which a token that is limited to environments has no right
 * (docs/use/permissions.md).
 */
const OF_ALL_ENVIRONMENTS: ReadonlySet<Scope> = new Set(["approve", "admin"]);

/** Returns the scopes that need all environments. */
export const unlimitedScopes = (scopes: readonly Scope[]): readonly Scope[] =>
  scopes.filter((scope) => OF_ALL_ENVIRONMENTS.has(scope));

/** Returns what is wrong with the environments of a token. */
export function limitProblem(
  scopes: readonly Scope[],
  limit: readonly number[] | null,
): "noEnvironment" | "tooManyEnvironments" | "needsAllEnvironments" | undefined {
  if (limit === null) return undefined;
  if (limit.length === 0) return "noEnvironment";
  if (limit.length > MAX_LISTED) return "tooManyEnvironments";
  return unlimitedScopes(scopes).length > 0 ? "needsAllEnvironments" : undefined;
}

/**
 * Returns the scopes that mean anything to a user. A token never has more rights than its owner, so only
 * administrators of the organisation or of a project can let it administer.
 */
export const usefulScopes = (
  scopes: readonly Scope[],
  user: { readonly role: Role },
  projects: readonly { readonly ownRole: Role | null }[],
): Scope[] =>
  scopes.filter(
    (scope) =>
      scope !== "admin" || [user.role, ...projects.map(({ ownRole }) => ownRole)].includes("ADMIN"),
  );
