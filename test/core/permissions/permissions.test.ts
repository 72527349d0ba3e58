import { assert, constantFrom, integer, property, tuple, uniqueArray } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ActorToken,
  allows,
  allowsSomewhere,
  isHidden,
  type Permission,
  PERMISSIONS,
  type Role,
  roleIn,
  ROLES,
  SCOPES,
  type UserActor,
} from "@feature-flags/permissions/permissions";

const names = Object.keys(PERMISSIONS) as Permission[];
const isOfOrganisation = (permission: Permission) => "ofOrganisation" in PERMISSIONS[permission];

const user = (role: Role, there: readonly (readonly [number, Role])[]): UserActor => ({
  kind: "user",
  id: 1,
  email: "ann@example.com",
  role,
  projectRoles: new Map(there),
  hiddenProjects: new Set([9]),
  sessionId: undefined,
  projectId: undefined,
  mfaOverdue: false,
});

const role = constantFrom(...ROLES);
const projectId = integer({ min: 1, max: 5 });
const roles = uniqueArray(tuple(projectId, role), { selector: ([id]) => id });
const people = tuple(role, roles).map(([organisation, there]) => user(organisation, there));
const permission = constantFrom(...names);

describe("a user with roles in projects", () => {
  it("has in a project exactly what the higher of the two roles alone would give", () => {
    assert(
      property(people, permission, projectId, (actor, wanted, id) => {
        const alone = user(roleIn(actor, id), []);
        const expected = isOfOrganisation(wanted) ? user(actor.role, []) : alone;
        expect(allows(actor, wanted, id)).toBe(allows(expected, wanted));
      }),
    );
  });

  it("has in the organisation only what the role there gives", () => {
    assert(
      property(people, permission, (actor, wanted) => {
        expect(allows(actor, wanted)).toBe(allows(user(actor.role, []), wanted));
      }),
    );
  });

  it("has a permission somewhere exactly if the organisation or one of the projects gives it", () => {
    assert(
      property(people, permission, (actor, wanted) => {
        const somewhere = [...actor.projectRoles.keys()].some((id) => allows(actor, wanted, id));
        expect(allowsSomewhere(actor, wanted)).toBe(somewhere || allows(actor, wanted));
      }),
    );
  });

  it("never loses a permission by a role in a project", () => {
    assert(
      property(people, permission, projectId, (actor, wanted, id) => {
        expect(allows(actor, wanted, id) || !allows(actor, wanted)).toBe(true);
      }),
    );
  });
});

describe("an administrator of a project", () => {
  const actor = user("VIEWER", [[1, "ADMIN"]]);

  it("has there all permissions that a role gives, but those of the organisation", () => {
    const missing = names.filter((name) => PERMISSIONS[name].role && !allows(actor, name, 1));
    expect(missing).toEqual([
      "project:create",
      "user:read",
      "user:write",
      "settings:read",
      "settings:write",
      "audit:read-all",
    ]);
  });

  it("has in another project the permissions of the role in the organisation", () => {
    for (const name of names) expect(allows(actor, name, 2)).toBe(allows(user("VIEWER", []), name));
  });
});

describe("a token", () => {
  const token = (more: Partial<ActorToken>): ActorToken => ({
    id: 4,
    name: "ci",
    scopes: SCOPES,
    projectIds: null,
    environmentIds: null,
    ...more,
  });
  const withToken = (owner: UserActor, more: Partial<ActorToken>) => ({
    ...owner,
    token: token(more),
  });
  const scopes = uniqueArray(constantFrom(...SCOPES));

  it("has in every project only what its owner has, and what its scopes allow", () => {
    assert(
      property(people, scopes, permission, projectId, (owner, of, wanted, id) => {
        const { scope } = PERMISSIONS[wanted];
        const isRead = scope === "read" && of.some((one) => one !== "approve");
        const isInScope = isRead || (scope !== null && of.includes(scope));
        const actor = withToken(owner, { scopes: of });
        expect(allows(actor, wanted, id)).toBe(isInScope && allows(owner, wanted, id));
      }),
    );
  });

  it("of all scopes has everything but sessions and the making of tokens", () => {
    const owner = user("ADMIN", []);
    const missing = names.filter(
      (name) => allows(owner, name) && !allows(withToken(owner, {}), name),
    );
    expect(missing).toEqual(["token:own", "service-account:write", "session:own"]);
  });

  it("of some projects sees no other project, and has no permission of the organisation", () => {
    const actor = withToken(user("ADMIN", []), { projectIds: [1, 2] });
    expect([1, 2, 3].map((id) => isHidden(actor, id))).toEqual([false, false, true]);
    expect(names.filter((name) => isOfOrganisation(name) && allows(actor, name))).toEqual([]);
    expect(allowsSomewhere(actor, "flag:write")).toBe(true);
  });

  it("of some projects has no permission because of a role in another project", () => {
    const actor = withToken(user("VIEWER", [[3, "ADMIN"]]), { projectIds: [1] });
    expect(allowsSomewhere(actor, "flag:write")).toBe(false);
  });

  it("of some environments writes only strategies, flags and change requests, also with a file", () => {
    const actor = withToken(user("ADMIN", []), { environmentIds: [7] });
    const writes = names.filter((name) => PERMISSIONS[name].scope !== "read");
    expect(writes.filter((name) => allows(actor, name))).toEqual([
      "project:apply",
      "change-request:write",
      "flag:write",
      "strategy:write",
    ]);
  });
});

it("a service account of a project sees only this project, and never approves", () => {
  const actor = {
    ...user("ADMIN", []),
    kind: "service-account",
    name: "Deployment",
    ownProject: 1,
    projectId: 1,
  } as const;
  expect([1, 2].map((id) => isHidden(actor, id))).toEqual([false, true]);
  const ofPeople = names.filter((name) => "ofPeople" in PERMISSIONS[name]);
  expect(ofPeople).toContain("change-request:review");
  expect(ofPeople.filter((name) => allows(actor, name, 1))).toEqual([]);
  expect(allows(actor, "project:write", 1)).toBe(true);
});

it("a project is hidden only from the users who must not learn of it", () => {
  const key = { kind: "key", id: 1, name: "", keyType: "SERVER", canWrite: true } as const;
  expect(isHidden(user("DEVELOPER", []), 9)).toBe(true);
  expect(isHidden(user("DEVELOPER", []), 8)).toBe(false);
  expect(isHidden({ ...key, environmentId: 1, projectId: 9 }, 9)).toBe(false);
  expect(isHidden({ kind: "system", name: "a job" }, 9)).toBe(false);
});
