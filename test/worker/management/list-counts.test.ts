import { describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminToken, join, person } from "../support/people.ts";
import { time } from "../support/shapes.ts";
import {
  inCountries,
  newContext,
  newFlag,
  newKey,
  newSegment,
  newTag,
  newValue,
  newWorld,
  setStrategy,
} from "../support/world.ts";

const archive = (flagId: number) => asAdmin("POST", `/api/v1/flags/${flagId}/archive`);

/** Returns one field of each item of a list, in the order of the list. */
async function fieldOf(list: string, projectId: number, field: string): Promise<unknown[]> {
  const { body } = await asAdmin<Json[]>(
    "GET",
    `/api/v1/${list}?projectId=${projectId}&counts=true`,
  );
  return body.map((item) => item[field]);
}

describe("a list with counts=true", () => {
  it("says how many flags that are not archived have each tag", async () => {
    const { projectId } = await newWorld();
    const [used, unused] = [await newTag(projectId), await newTag(projectId)];
    // A flag with two values of the tag counts once.
    const both = { tags: ["a", "b"].map((value) => ({ tagId: used.id, value })) };
    await newFlag(projectId, both);
    await newFlag(projectId, { tags: [used.name] });
    const { id: archived } = await newFlag(projectId, { tags: [used.name, unused.name] });
    await archive(archived);
    expect(await fieldOf("tags", projectId, "flagCount")).toEqual([2, 0]);
  });

  it("says how many flags use each segment, in any environment, rule or archived flag", async () => {
    const { projectId, environmentId } = await newWorld();
    const { body: second } = await asAdmin("POST", "/api/v1/environments", {
      name: "second",
      projectId,
    });
    const segments = [await newSegment(projectId, []), await newSegment(projectId, [])];
    const [used] = segments;
    const segmentIds = [used?.id];
    const { id: both } = await newFlag(projectId);
    await setStrategy(both, { environmentId, segmentIds });
    await setStrategy(both, {
      environmentId: second.id,
      segmentIds,
      rules: [{ segmentIds, constraints: [inCountries("de")] }],
    });
    const { id: archived } = await newFlag(projectId);
    await setStrategy(archived, { environmentId, rules: [{ segmentIds }] });
    await archive(archived);
    await newFlag(projectId);
    expect(await fieldOf("segments", projectId, "flagCount")).toEqual([2, 0]);
  });

  it("says how many known values each context definition has", async () => {
    const { projectId } = await newWorld();
    const { id } = await newContext(projectId);
    await newContext(projectId);
    await newValue(id);
    await newValue(id);
    expect(await fieldOf("contexts", projectId, "valueCount")).toEqual([2, 0]);
  });

  it("says how many flags are on in each environment, without archived ones, and how many API keys it has", async () => {
    const { projectId, environmentId } = await newWorld();
    await asAdmin("POST", "/api/v1/environments", { name: "second", projectId });
    const flags = [await newFlag(projectId), await newFlag(projectId), await newFlag(projectId)];
    for (const { id } of flags) await setStrategy(id, { environmentId, enabled: true });
    await archive(flags[0]?.id);
    await setStrategy(flags[1]?.id, { environmentId, enabled: false });
    const keysBefore = (await fieldOf("environments", projectId, "apiKeyCount"))[0] as number;
    await newKey(environmentId);
    expect(await fieldOf("environments", projectId, "flagsOn")).toEqual([1, 0]);
    expect(await fieldOf("environments", projectId, "apiKeyCount")).toEqual([keysBefore + 1, 0]);
  });

  it("has the counts of the items of one page, too", async () => {
    const { projectId } = await newWorld();
    await newTag(projectId);
    const { name } = await newTag(projectId);
    await newFlag(projectId, { tags: [name] });
    const path = `/api/v1/tags?projectId=${projectId}&counts=true&page=1&size=1`;
    const { body, headers } = await asAdmin<Json[]>("GET", path);
    expect([headers.get("X-Total-Count"), body.length, body[0].flagCount]).toEqual(["2", 1, 1]);
  });
});

describe("the list of projects with counts=true", () => {
  /** Returns the project as the list has it. */
  const listed = async (projectId: number, query: string, token?: string) => {
    const options = { token: token ?? (await adminToken()) };
    const { body } = await call<Json[]>("GET", `/api/v1/projects${query}`, options);
    return body.find(({ id }) => id === projectId);
  };

  it("has the numbers of flags that are not archived and of environments, and who changed the project last", async () => {
    const { token, id } = await person("DEVELOPER");
    const { projectId, apiKey } = await newWorld();
    await newFlag(projectId);
    await join(id, "VIEWER", [projectId]);
    const { id: archived } = await newFlag(projectId);
    await call("POST", `/api/v1/flags/${archived}/archive`, { token });
    const plain = await listed(projectId, "");
    const counted = {
      ...plain,
      flagCount: 1,
      environmentCount: 1,
      memberCount: 1,
      lastChange: { at: time, actor: { kind: "user", id, name: "DEVELOPER" } },
    };
    expect(await listed(projectId, "?counts=true")).toEqual(counted);
    // API keys see no names of users.
    const ofKey = await listed(projectId, "?counts=true", apiKey);
    expect(ofKey.lastChange.actor).toEqual({ kind: "user", id, name: null });
    expect(Object.keys(plain)).not.toContain("flagCount");
    expect(outcome(await asAdmin("GET", "/api/v1/projects?counts=yes"))).toBe("400 BAD_REQUEST");
  });
});

describe("counts", () => {
  const FIELDS = {
    tags: ["flagCount"],
    segments: ["flagCount"],
    contexts: ["valueCount"],
    environments: ["flagsOn", "apiKeyCount"],
  };

  it.each(Object.entries(FIELDS))(
    "are absent unless the request asks for them: %s",
    async (list, fields) => {
      const { projectId } = await newWorld();
      await newTag(projectId);
      await newSegment(projectId, []);
      await newContext(projectId);
      const path = `/api/v1/${list}?projectId=${projectId}`;
      const [item] = (await asAdmin<Json[]>("GET", path)).body;
      const [uncounted] = (await asAdmin<Json[]>("GET", `${path}&counts=false`)).body;
      const [counted] = (await asAdmin<Json[]>("GET", `${path}&counts=true`)).body;
      const counts = Object.fromEntries(fields.map((field) => [field, expect.any(Number)]));
      expect([uncounted, counted]).toEqual([item, { ...item, ...counts }]);
      expect(Object.keys(item)).toEqual(expect.not.arrayContaining(fields));
      expect(outcome(await asAdmin("GET", `${path}&counts=yes`))).toBe("400 BAD_REQUEST");
    },
  );
});
