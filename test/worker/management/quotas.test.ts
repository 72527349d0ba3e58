import { describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { callWith } from "../support/call-with.ts";
import { adminToken } from "../support/people.ts";
import {
  newEnvironment,
  newFlag,
  newKey,
  newProject,
  newSegment,
  unique,
} from "../support/world.ts";

async function post(quota: Partial<Env>, path: string, body: object) {
  return callWith(quota, "POST", `/api/v1/${path}`, { token: await adminToken(), body });
}

/** Sends three requests that create a row, one after the other. Returns their outcomes. */
async function fill(quota: Partial<Env>, path: string, body: () => object): Promise<string[]> {
  const outcomes: string[] = [];
  for (let n = 0; n < 3; n++) outcomes.push(outcome(await post(quota, path, body())));
  return outcomes;
}

const aFlag = (projectId: number) => ({
  key: unique("flag"),
  name: "n",
  flagType: "RELEASE",
  projectId,
});

const TWO_FIT = ["201", "201", "402 QUOTA_EXCEEDED"];

describe("a quota", () => {
  it("of two flags rejects the third flag of a project with 402, but not the first of another project", async () => {
    const quota = { QUOTA_FLAGS: "2" };
    const { id } = await newProject();
    expect(await fill(quota, "flags", () => aFlag(id))).toEqual(TWO_FIT);
    const other = await newProject();
    expect((await post(quota, "flags", aFlag(other.id))).status).toBe(201);
  });

  it.each([
    ["environments", "QUOTA_ENVIRONMENTS", () => ({ name: unique("environment") })],
    ["segments", "QUOTA_SEGMENTS", () => ({ name: unique("segment") })],
    ["tags", "QUOTA_TAGS", () => ({ name: unique("tag"), color: "#868e96" })],
    [
      "contexts",
      "QUOTA_CONTEXTS",
      () => ({ name: "n", contextKey: unique("key"), contextType: "string" }),
    ],
    [
      "integrations",
      "QUOTA_INTEGRATIONS",
      () => ({
        name: unique("integration"),
        enabled: true,
        type: "custom_webhook",
        configJson: '{"url":"https://receiver.example.com/"}',
        eventSubscriptionsJson: "[]",
      }),
    ],
    ["api-keys", "QUOTA_API_KEYS", () => ({ name: unique("key"), keyType: "SERVER" })],
  ])("of two %s rejects the third with 402", async (path, quota, content) => {
    const { id: projectId } = await newProject();
    const { id: environmentId } = await newEnvironment(projectId);
    const body = () => ({ ...content(), projectId, environmentId });
    // The project has one environment already, so that two more fit.
    const limit = path === "environments" ? "3" : "2";
    expect(await fill({ [quota]: limit }, path, body)).toEqual(TWO_FIT);
  });

  it("of one project rejects a new project with 402", async () => {
    const answer = await post({ QUOTA_PROJECTS: "1" }, "projects", { name: unique("project") });
    expect(outcome(answer)).toBe("402 QUOTA_EXCEEDED");
    expect(answer.body.error).toContain("1 projects");
  });

  it("of tags counts the tags that a new or changed flag creates", async () => {
    const quota = { QUOTA_TAGS: "3" };
    const { id: projectId } = await newProject();
    await newFlag(projectId, { tags: ["a", "b"] });
    const body = (...tags: string[]) => ({ ...aFlag(projectId), tags });
    expect(outcome(await post(quota, "flags", body("c", "d")))).toBe("402 QUOTA_EXCEEDED");
    const made = await post(quota, "flags", body("a", "c"));
    expect(made.status).toBe(201);
    expect((await post(quota, "flags", body("a", "b", "c"))).status).toBe(201);
    const update = await callWith(quota, "PUT", `/api/v1/flags/${made.body.id}`, {
      token: await adminToken(),
      body: { tags: ["d"] },
    });
    expect(outcome(update)).toBe("402 QUOTA_EXCEEDED");
  });

  it("of three segments is not exceeded by eight concurrent requests", async () => {
    const { id: projectId } = await newProject();
    const create = () =>
      post({ QUOTA_SEGMENTS: "3" }, "segments", { name: unique("segment"), projectId });
    const answers = await Promise.all(Array.from({ length: 8 }, create));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(5);
  });

  it("of zero segments rejects a new segment, but not the update of a segment", async () => {
    const { id: projectId } = await newProject();
    const segment = await newSegment(projectId, []);
    await newKey((await newEnvironment(projectId)).id);
    const quota = { QUOTA_SEGMENTS: "0" };
    const answer = await post(quota, "segments", { name: "s", projectId });
    expect(outcome(answer)).toBe("402 QUOTA_EXCEEDED");
    const update = await callWith(quota, "PUT", `/api/v1/segments/${segment.id}`, {
      token: await adminToken(),
      body: { description: "changed" },
    });
    expect(update.status).toBe(200);
  });
});
