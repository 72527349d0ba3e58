import { describe, expect, it } from "vitest";
import { asAdmin } from "../support/outcomes.ts";
import { revisionOf } from "../support/records.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  setStrategy,
} from "../support/world.ts";

async function twoEnvironments() {
  const { id: projectId } = await newProject();
  const [one, two] = [await newEnvironment(projectId), await newEnvironment(projectId)];
  const flag = await newFlag(projectId);
  return { projectId, one: one.id as number, two: two.id as number, flagId: flag.id as number };
}

describe("the header X-Revision", () => {
  it("is the new revision of the environment whose strategy was set", async () => {
    const { one, two, flagId } = await twoEnvironments();
    const [before, other] = [await revisionOf(one), await revisionOf(two)];
    const body = { environmentId: one, enabled: true };
    const answer = await asAdmin("PUT", `/api/v1/flags/${flagId}/strategies`, body);
    expect(answer.headers.get("X-Revision")).toBe(String(before + 1));
    expect([await revisionOf(one), await revisionOf(two)]).toEqual([before + 1, other]);
  });

  it("lists the new revisions of all environments when a flag is created, archived, unarchived or deleted", async () => {
    const { projectId, one, two } = await twoEnvironments();
    const list = async () =>
      `${await revisionOf(one)};environment=${one}, ${await revisionOf(two)};environment=${two}`;
    const body = { key: "k", name: "n", flagType: "RELEASE", projectId };
    const created = await asAdmin("POST", "/api/v1/flags", body);
    expect(created.headers.get("X-Revision")).toBe(await list());
    const path = `/api/v1/flags/${created.body.id}`;
    for (const [method, suffix] of [
      ["POST", "/archive"],
      ["POST", "/unarchive"],
      ["POST", "/archive"],
      ["DELETE", ""],
    ] as const) {
      const before = await list();
      const answer = await asAdmin(method, path + suffix);
      expect(answer.headers.get("X-Revision")).toBe(await list());
      expect(await list()).not.toBe(before);
    }
  });

  it("is absent after a change that leaves all rules the same, such as new tags of a flag or a new name of an environment", async () => {
    const { one, flagId } = await twoEnvironments();
    const before = await revisionOf(one);
    const path = `/api/v1/flags/${flagId}`;
    const answers = [
      await asAdmin("PUT", path, { description: "new", tags: ["t"] }),
      await asAdmin("POST", `${path}/unarchive`),
      await asAdmin("PUT", `/api/v1/environments/${one}`, { name: "renamed" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ headers }) => headers.get("X-Revision"))).toEqual([null, null, null]);
    expect(await revisionOf(one)).toBe(before);
  });

  it("is the next revision when a flag is renamed, because a rule contains the name of the flag", async () => {
    const { one, flagId } = await twoEnvironments();
    const before = await revisionOf(one);
    await asAdmin("PUT", `/api/v1/flags/${flagId}`, { name: "Another name" });
    expect(await revisionOf(one)).toBe(before + 1);
  });

  it("is the next revision when two flags use the changed segment, and absent when no flag uses it", async () => {
    const { projectId, one, two, flagId } = await twoEnvironments();
    const segment = await newSegment(projectId, [inCountries("de")]);
    const path = `/api/v1/segments/${segment.id}`;
    const unused = await asAdmin("PUT", path, { constraints: [] });
    expect(unused.headers.get("X-Revision")).toBeNull();
    const second = await newFlag(projectId);
    for (const id of [flagId, second.id])
      await setStrategy(id, { environmentId: one, segmentIds: [segment.id] });
    const [before, other] = [await revisionOf(one), await revisionOf(two)];
    const used = await asAdmin("PUT", path, { constraints: [inCountries("fr")] });
    expect(used.headers.get("X-Revision")).toBe(String(before + 1));
    expect([await revisionOf(one), await revisionOf(two)]).toEqual([before + 1, other]);
  });

  it("is the revision that GET /api/v1/environments/{id} returns", async () => {
    const { one, flagId } = await twoEnvironments();
    const set = { environmentId: one, percentage: 25 };
    const answer = await asAdmin("PUT", `/api/v1/flags/${flagId}/strategies`, set);
    const { revision } = (await asAdmin("GET", `/api/v1/environments/${one}`)).body;
    expect(answer.headers.get("X-Revision")).toBe(String(revision));
  });
});
