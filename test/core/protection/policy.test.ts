import type { Actor, Role } from "@feature-flags/permissions/permissions";
import { describe, expect, it } from "vitest";
import {
  grantsMore,
  isFreeTurnOff,
  isWeaker,
  obstacleTo,
  type Policy,
  type Restricted,
} from "../../../src/core/protection/policy.ts";

const PROJECT = 1;

const user = (role: Role, there?: Role): Actor => ({
  kind: "user",
  id: 1,
  email: "ann@example.com",
  role,
  projectRoles: new Map(there && [[PROJECT, there]]),
  hiddenProjects: new Set(),
  sessionId: undefined,
  projectId: undefined,
  mfaOverdue: false,
});
const KEY: Actor = {
  kind: "key",
  id: 2,
  name: "a key",
  keyType: "SERVER",
  canWrite: true,
  environmentId: 3,
  projectId: 1,
};
const JOB: Actor = { kind: "system", name: "a job" };

const environment = (more: Partial<Restricted> = {}): Restricted => ({
  projectId: PROJECT,
  environmentId: 3,
  name: "production",
  requiredApprovals: 0,
  memberAccess: "roles",
  requireReason: false,
  allowTurnOff: true,
  allowBypass: true,
  effect: "any",
  isListed: false,
  ...more,
});

describe("what keeps an actor from a direct change", () => {
  it.each([user("ADMIN"), user("DEVELOPER"), KEY, JOB])(
    "is an approval for everybody if the environment requires one: $kind $role",
    (actor) => {
      const one = environment({ requiredApprovals: 1, isListed: true });
      expect(obstacleTo(actor, one, true)).toBe("approval");
    },
  );

  it("is an approval for those who are not listed, for API keys and for jobs, if members are listed", () => {
    const listed = environment({ memberAccess: "list", isListed: true });
    const other = environment({ memberAccess: "list" });
    expect(obstacleTo(user("DEVELOPER"), listed, false)).toBeUndefined();
    expect(obstacleTo(user("ADMIN"), other, false)).toBeUndefined();
    expect(obstacleTo(user("VIEWER", "ADMIN"), other, false)).toBeUndefined();
    expect(obstacleTo(user("VIEWER", "DEVELOPER"), other, true)).toBe("approval");
    expect(obstacleTo(user("DEVELOPER"), other, true)).toBe("approval");
    expect(obstacleTo(KEY, listed, true)).toBe("approval");
    expect(obstacleTo(JOB, listed, true)).toBe("approval");
  });

  it("is a missing reason, if the environment requires one", () => {
    const one = environment({ requireReason: true });
    expect(obstacleTo(user("ADMIN"), one, false)).toBe("reason");
    expect(obstacleTo(user("ADMIN"), one, true)).toBeUndefined();
  });

  it("does not count for a change that only turns flags off, unless the environment says so", () => {
    expect(isFreeTurnOff(environment({ effect: "turn-off" }))).toBe(true);
    expect(isFreeTurnOff(environment({ effect: "turn-off", allowTurnOff: false }))).toBe(false);
    expect(isFreeTurnOff(environment())).toBe(false);
  });
});

describe("a policy", () => {
  const STRICT: Policy = {
    requiredApprovals: 2,
    approverRole: "ADMIN",
    memberAccess: "list",
    requireReason: true,
    allowTurnOff: false,
    allowBypass: false,
  };
  const LOOSE: Policy = {
    requiredApprovals: 1,
    approverRole: "DEVELOPER",
    memberAccess: "roles",
    requireReason: false,
    allowTurnOff: true,
    allowBypass: true,
  };

  it.each(Object.keys(STRICT) as (keyof Policy)[])(
    "is weaker if only %s is, even if all other fields are stricter",
    (field) => {
      expect(isWeaker(STRICT, { ...STRICT, [field]: LOOSE[field] })).toBe(true);
      expect(
        isWeaker({ ...LOOSE, [field]: STRICT[field] }, { ...STRICT, [field]: LOOSE[field] }),
      ).toBe(true);
    },
  );

  it("is not weaker if it is the same or stricter", () => {
    expect(isWeaker(STRICT, STRICT)).toBe(false);
    expect(isWeaker(LOOSE, STRICT)).toBe(false);
  });
});

describe("a list of members", () => {
  const ANN = { userId: 1, canWrite: true, canApprove: false };

  it("grants more with a new member, and with a new right", () => {
    expect(grantsMore([], [ANN])).toBe(true);
    expect(grantsMore([ANN], [{ ...ANN, canApprove: true }])).toBe(true);
  });

  it("grants no more without a member or a right, or with a member without rights", () => {
    const none = { userId: 2, canWrite: false, canApprove: false };
    expect(grantsMore([ANN], [])).toBe(false);
    expect(grantsMore([ANN], [{ ...ANN, canWrite: false }, none])).toBe(false);
  });
});
