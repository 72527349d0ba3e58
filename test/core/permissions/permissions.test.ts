import { assert, constantFrom, integer, property, tuple, uniqueArray } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allows,
  allowsSomewhere,
  isHidden,
  type Permission,
  PERMISSIONS,
  type Role,
  roleIn,
  ROLES,
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

it("a project is hidden only from the users who must not learn of it", () => {
  const key = { kind: "key", id: 1, name: "", keyType: "SERVER", canWrite: true } as const;
  expect(isHidden(user("DEVELOPER", []), 9)).toBe(true);
  expect(isHidden(user("DEVELOPER", []), 8)).toBe(false);
  expect(isHidden({ ...key, environmentId: 1, projectId: 9 }, 9)).toBe(false);
  expect(isHidden({ kind: "system", name: "a job" }, 9)).toBe(false);
});
