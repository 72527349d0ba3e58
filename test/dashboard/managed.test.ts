import { describe, expect, it } from "vitest";
import {
  type Managed,
  managedFieldsIn,
  managersOf,
  repositoryLink,
} from "../../dashboard/src/features/flag-page/managed.ts";

const managed = (environmentId: number | null, manager: string, fields: string[]): Managed => ({
  environmentId,
  manager,
  fields,
  repository: null,
  commit: null,
});

describe("managedFieldsIn", () => {
  it("returns the owners of the fields in one environment, without those of the flag itself", () => {
    const list = [
      managed(null, "shop", ["name"]),
      managed(3, "shop", ["enabled"]),
      managed(3, "other", ["rules"]),
      managed(4, "shop", ["serve"]),
    ];
    const names = (environmentId: number | null) =>
      Array.from(managedFieldsIn(list, environmentId), ([field, { manager }]) => [field, manager]);
    expect(names(3)).toEqual([
      ["enabled", "shop"],
      ["rules", "other"],
    ]);
    expect(names(null)).toEqual([["name", "shop"]]);
  });
});

describe("managersOf", () => {
  it("names each file once, also if it owns fields in several environments", () => {
    const list = [
      managed(null, "shop", ["name"]),
      managed(3, "shop", ["enabled"]),
      managed(3, "other", ["rules"]),
    ];
    expect(managersOf(list).map(({ manager }) => manager)).toEqual(["shop", "other"]);
  });
});

describe("repositoryLink", () => {
  it.each([
    ["https://github.com/example/shop", "https://github.com/example/shop"],
    ["example/shop", undefined],
    ["javascript:alert(1)", undefined],
    [null, undefined],
  ])("turns the repository %s into the link %s", (repository, link) => {
    expect(repositoryLink({ repository })).toBe(link);
  });
});
