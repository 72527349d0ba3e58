import { describe, expect, it } from "vitest";
import { comparisonOf } from "../../../src/workflows/files/comparison.ts";

const ENVIRONMENTS = ["a", "b", "c", "d", "e", "f"];

/** Compares a file with an empty project. The file has flags with a strategy in each environment. */
async function drafted(flags: number, strategy: object) {
  const environments = Object.fromEntries(ENVIRONMENTS.map((name) => [name, strategy]));
  const flag = { name: "Flag", flagType: "RELEASE" as const, environments };
  const { draft } = await comparisonOf({
    content: {
      project: { projectId: 1, name: "shop" },
      flags: [],
      environments: ENVIRONMENTS.map((name, id) => ({ id, name })),
      segments: [],
      tags: [],
      contexts: [],
      values: [],
      strategies: [],
    },
    ownership: { rows: [], managers: [], applies: 0 },
    request: {
      file: {
        version: 1,
        project: "shop",
        flags: Object.fromEntries(Array.from({ length: flags }, (_, n) => [`flag-${n}`, flag])),
      },
      prune: false,
      overwrite: [],
    },
  });
  return draft;
}

describe("a file with 5,000 new flags", () => {
  it("is refused before it is planned, if one transaction cannot have its strategies", async () => {
    await expect(drafted(5_000, { enabled: true })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("35000 operations take at least 17500000 characters"),
    });
  });

  it("is not refused if its strategies are those that every new flag has", async () => {
    const { differences } = await drafted(5_000, { enabled: false });
    expect(differences).toHaveLength(5_000);
  });
});
