import { describe, expect, it } from "vitest";
import type { Answer, Json } from "../support/client.ts";
import { asAdmin, invalidFields, outcome, tally } from "../support/outcomes.ts";
import { newFlag, newProject, unique } from "../support/world.ts";

const path = "/api/v1/flags";
const read = async (id: number) => (await asAdmin("GET", `${path}/${id}`)).body;
const put = (id: number, body: object) => asAdmin("PUT", `${path}/${id}`, body);
const archive = (id: number) => asAdmin("POST", `${path}/${id}/archive`);
const unarchive = (id: number) => asAdmin("POST", `${path}/${id}/unarchive`);
const remove = (id: number) => asAdmin("DELETE", `${path}/${id}`);

const requires = (...flags: Json[]) => ({
  prerequisites: flags.map(({ key }) => ({ flagKey: key })),
});

/** Creates a number of flags in a new project. */
async function flagsOf(count: number): Promise<{ projectId: number; flags: Json[] }> {
  const { id: projectId } = await newProject();
  const flags = [];
  for (let n = 0; n < count; n++) flags.push(await newFlag(projectId));
  return { projectId, flags };
}

/** Creates a flag `parent`, and a flag `child` that requires it. */
async function pair() {
  const { projectId, flags } = await flagsOf(1);
  const [parent] = flags;
  return { projectId, parent, child: await newFlag(projectId, requires(parent)) };
}

/** The field errors of a response: the messages by field. */
const faults = (answer: Answer<Json>): Record<string, string> =>
  Object.fromEntries(
    answer.body.details.map(({ field, message }: Record<string, string>) => [field, message]),
  );

describe("the prerequisites of a flag", () => {
  it("are stored in their order, and `requiredBy` of each required flag names the flag", async () => {
    const { projectId, flags } = await flagsOf(2);
    const [one, two] = flags;
    const prerequisites = [
      { flagKey: two.key, enabled: false },
      { flagKey: one.key, enabled: true, variants: ["on"] },
    ];
    const flag = await newFlag(projectId, { prerequisites });
    expect(flag).toMatchObject({ prerequisites, requiredBy: [] });
    expect(await read(flag.id)).toEqual(flag);
    expect([(await read(one.id)).requiredBy, (await read(two.id)).requiredBy]).toEqual([
      [flag.key],
      [flag.key],
    ]);
  });

  it("are replaced by an update that contains them, and kept by an update that omits them", async () => {
    const { parent, child } = await pair();
    const stored = [{ flagKey: parent.key, enabled: true }];
    expect((await put(child.id, { name: "Other" })).body.prerequisites).toEqual(stored);
    expect((await put(child.id, { prerequisites: [] })).body.prerequisites).toEqual([]);
    expect((await read(parent.id)).requiredBy).toEqual([]);
  });

  it("are in the lists of flags, and `requiredBy` is in the enriched list", async () => {
    const { projectId, child } = await pair();
    const [first, second] = (await asAdmin("GET", `${path}?projectId=${projectId}`)).body.items;
    expect([first.prerequisites, second.prerequisites]).toEqual([[], child.prerequisites]);
    const list = await asAdmin("GET", `${path}/enriched?projectId=${projectId}`);
    expect(list.body.items[0].requiredBy).toEqual([child.key]);
  });

  it("increase the revision of every environment when they change", async () => {
    const { projectId, flags } = await flagsOf(2);
    await asAdmin("POST", "/api/v1/environments", { name: "production", projectId });
    const answer = await put(flags[1].id, requires(flags[0]));
    expect(answer.headers.get("X-Revision")).toMatch(/^\d+$/);
    const same = await put(flags[1].id, requires(flags[0]));
    expect([same.body.version, same.headers.get("X-Revision")]).toEqual([2, null]);
  });
});

describe("prerequisites", () => {
  it("return 400 with an error for each flag that is unknown, of another project, archived, listed twice, or the flag itself", async () => {
    const { projectId, flags } = await flagsOf(3);
    const [flag, archived, good] = flags;
    await archive(archived.id);
    const foreign = (await flagsOf(1)).flags[0];
    const keys = [good.key, "unknown", foreign.key, archived.key, flag.key];
    const body = { prerequisites: keys.map((flagKey) => ({ flagKey })) };
    const itself = { "prerequisites.4.flagKey": "must not be the flag itself" };
    expect(faults(await put(flag.id, body))).toEqual(itself);
    const others = { prerequisites: body.prerequisites.slice(0, 4) };
    const expected = {
      "prerequisites.1.flagKey": "is not a flag of the project",
      "prerequisites.2.flagKey": "is not a flag of the project",
      "prerequisites.3.flagKey": "is an archived flag",
    };
    expect(faults(await put(flag.id, others))).toEqual(expected);
    const created = { key: unique("flag"), name: "n", flagType: "RELEASE", projectId, ...others };
    expect(faults(await asAdmin("POST", path, created))).toEqual(expected);
    const twice = await put(flag.id, requires(good, good));
    expect(faults(twice)).toEqual({
      "prerequisites.1.flagKey": "is the flag of an earlier prerequisite",
    });
    expect(await read(flag.id)).toEqual(flag);
  });

  it("return 400 with an error for each prerequisite that names variants which the required flag does not have", async () => {
    const { projectId, flags } = await flagsOf(2);
    const [flag, other] = flags;
    const variants = [{ key: "blue", value: 1 }];
    const number = await newFlag(projectId, { valueType: "number", variants });
    const answer = await put(flag.id, {
      prerequisites: [
        { flagKey: number.key, variants: ["blue", "red", "on"] },
        { flagKey: other.key, variants: ["off", "blue"] },
      ],
    });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(faults(answer)).toEqual({
      "prerequisites.0.variants": "must be variants of the flag; these are not: red, on",
      "prerequisites.1.variants": "must be variants of the flag; these are not: blue",
    });
  });

  it.each([
    ["eleven", Array.from({ length: 11 }, (_, n) => ({ flagKey: `f${n}` })), "prerequisites"],
    [
      "more than 4 KB",
      [{ flagKey: "f", variants: Array(50).fill("v".repeat(100)) }],
      "prerequisites",
    ],
    ["no list", { flagKey: "f" }, "prerequisites"],
    ["no flag key", [{ enabled: true }], "prerequisites.0.flagKey"],
    ["`enabled` that is no boolean", [{ flagKey: "f", enabled: "yes" }], "prerequisites.0.enabled"],
    ["an empty list of variants", [{ flagKey: "f", variants: [] }], "prerequisites.0.variants"],
    [
      "a variant that is no text",
      [{ flagKey: "f", variants: [true] }],
      "prerequisites.0.variants.0",
    ],
  ])("are rejected with 400: %s", async (_, prerequisites, field) => {
    const { flags } = await flagsOf(1);
    const answer = await put(flags[0].id, { prerequisites });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer)).toEqual([field]);
  });

  it.each([2, 10])("are rejected with 400 if they close a cycle of %i flags", async (length) => {
    const { flags } = await flagsOf(length);
    for (let n = 1; n < length; n++)
      expect((await put(flags[n].id, requires(flags[n - 1]))).status).toBe(200);
    const answer = await put(flags[0].id, requires(flags[length - 1]));
    expect(faults(answer)).toEqual({
      "prerequisites.0.flagKey": expect.stringMatching(
        /^requires this flag, directly or through other flags: .* → /,
      ),
    });
  });

  it("are rejected with 400 if the second prerequisite closes a cycle", async () => {
    const { flags } = await flagsOf(4);
    const [a, b, c, free] = flags;
    await put(b.id, requires(a));
    await put(c.id, requires(free, b));
    const answer = await put(a.id, requires(free, c));
    expect(invalidFields(answer)).toEqual(["prerequisites.1.flagKey"]);
  });

  it("may lead to the same flag in two ways", async () => {
    const { flags } = await flagsOf(4);
    const [root, left, right, top] = flags;
    await put(left.id, requires(root));
    await put(right.id, requires(root));
    expect((await put(top.id, requires(left, right, root))).status).toBe(200);
  });
});

describe("two requests at the same time", () => {
  it("cannot close a cycle together", async () => {
    for (const length of [2, 3, 2, 3]) {
      const { flags } = await flagsOf(length);
      const answers = await Promise.all(
        flags.map(({ id }, n) => put(id, requires(flags[(n + 1) % length]))),
      );
      expect(tally(answers)).toEqual({ "200": length - 1, "400 VALIDATION_ERROR": 1 });
    }
  });

  it("cannot archive a flag and make it a prerequisite", async () => {
    for (let n = 0; n < 4; n++) {
      const { flags } = await flagsOf(2);
      const [parent, child] = flags;
      await Promise.all([put(child.id, requires(parent)), archive(parent.id)]);
      const [after, dependent] = [await read(parent.id), await read(child.id)];
      expect(after.archived).toBe(dependent.prerequisites.length === 0);
    }
  });
});

describe("a flag that other flags require", () => {
  it("cannot be archived while one of these is not archived, and the 409 names these", async () => {
    const { projectId, parent, child } = await pair();
    const other = await newFlag(projectId, requires(parent));
    const refused = await archive(parent.id);
    expect(outcome(refused)).toBe("409 CONFLICT");
    expect(refused.body.error).toMatch(new RegExp(`: ${child.key}, ${other.key}$`));
    await archive(other.id);
    expect((await archive(parent.id)).body.error).toMatch(new RegExp(`: ${child.key}$`));
    await archive(child.id);
    expect((await read(parent.id)).requiredBy).toEqual([]);
    expect((await archive(parent.id)).status).toBe(200);
  });

  it("cannot be deleted, even if these are archived, and the 409 names these", async () => {
    const { parent, child } = await pair();
    await archive(child.id);
    await archive(parent.id);
    const refused = await remove(parent.id);
    expect(outcome(refused)).toBe("409 CONFLICT");
    expect(refused.body.error).toMatch(new RegExp(`: ${child.key}$`));
    expect((await remove(child.id)).status).toBe(204);
    expect((await remove(parent.id)).status).toBe(204);
  });

  it("must be unarchived before these, and the 409 names the flag", async () => {
    const { parent, child } = await pair();
    await archive(child.id);
    await archive(parent.id);
    const refused = await unarchive(child.id);
    expect(outcome(refused)).toBe("409 CONFLICT");
    expect(refused.body.error).toMatch(new RegExp(`: ${parent.key}$`));
    await unarchive(parent.id);
    expect((await unarchive(child.id)).status).toBe(200);
  });

  it("cannot lose a variant that these require, and the 409 names these", async () => {
    const { projectId } = await flagsOf(0);
    const [one, two] = [
      { key: "one", value: 1 },
      { key: "two", value: 2 },
    ];
    const parent = await newFlag(projectId, { valueType: "number", variants: [one, two] });
    const prerequisites = [{ flagKey: parent.key, variants: ["two"] }];
    const child = await newFlag(projectId, { prerequisites });
    await archive(child.id);
    const refused = await put(parent.id, { variants: [one] });
    expect(outcome(refused)).toBe("409 CONFLICT");
    expect(refused.body.error).toContain(`flag ${child.key} requires two`);
    await put(child.id, { prerequisites: [] });
    expect((await put(parent.id, { variants: [one] })).status).toBe(200);
  });
});
