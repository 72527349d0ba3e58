import { SCOPES } from "@feature-flags/permissions/permissions";
import { expect, it } from "vitest";
import { usefulScopes } from "../../dashboard/src/shared/tokens/token-limits.ts";

it("offers the scope admin only to administrators of the organisation or of a project", () => {
  const scopes = (role: "ADMIN" | "DEVELOPER", ...ownRoles: ("ADMIN" | "DEVELOPER")[]) =>
    usefulScopes(
      SCOPES,
      { role },
      ownRoles.map((ownRole) => ({ ownRole })),
    );
  expect(scopes("DEVELOPER", "DEVELOPER")).toEqual(["read", "write", "approve"]);
  expect(scopes("DEVELOPER", "DEVELOPER", "ADMIN")).toContain("admin");
  expect(scopes("ADMIN")).toContain("admin");
});
