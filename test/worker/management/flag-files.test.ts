import { describe, expect, it } from "vitest";
import type { Json } from "../support/client.ts";
import { asAdmin } from "../support/outcomes.ts";
import {
  inCountries,
  newContext,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  newValue,
  setStrategy,
} from "../support/world.ts";

const COLOURS = {
  valueType: "string",
  variants: [
    { key: "blue", value: "#11c" },
    { key: "red", value: "#e33" },
  ],
};

async function newShop() {
  const project = await newProject();
  const { id, name } = await newEnvironment(project.id);
  return {
    projectId: project.id as number,
    name: project.name as string,
    environmentId: id as number,
    environment: name as string,
  };
}

const exported = async (projectId: number, query = "") =>
  (await asAdmin("GET", `/api/v1/projects/${projectId}/export${query}`)).body;

describe("the export of a project", () => {
  it("has names instead of ids, and leaves out defaults and archived flags", async () => {
    const { projectId, name, environmentId, environment } = await newShop();
    const segment = await newSegment(projectId, [inCountries("de")]);
    const context = await newContext(projectId);
    const value = await newValue(context.id);
    const flag = await newFlag(projectId, { ...COLOURS, tags: ["checkout"], description: "Two" });
    await setStrategy(flag.id, {
      environmentId,
      enabled: true,
      exactPercentage: 12.5,
      rules: [{ name: "Staff", segmentIds: [segment.id], serve: { variant: "red" } }],
    });
    const other = await newFlag(projectId, { prerequisites: [{ flagKey: flag.key }] });
    await setStrategy(other.id, { environmentId, percentage: 100 });
    const archived = await newFlag(projectId);
    await asAdmin("POST", `/api/v1/flags/${archived.id}/archive`);

    const file = await exported(projectId);
    const rule = file.flags[flag.key].environments[environment].rules[0];
    expect(file).toEqual({
      version: 1,
      project: name,
      contexts: { [context.contextKey]: { name: context.name, values: [value.value] } },
      tags: { checkout: {} },
      segments: {
        [segment.name]: { constraints: [{ field: "country", operator: "in", values: ["de"] }] },
      },
      flags: {
        [flag.key]: {
          name: "A flag",
          description: "Two",
          flagType: "RELEASE",
          tags: ["checkout"],
          ...COLOURS,
          environments: {
            [environment]: {
              enabled: true,
              percentage: 12.5,
              rules: [
                { id: rule.id, name: "Staff", segments: [segment.name], serve: { variant: "red" } },
              ],
            },
          },
        },
        [other.key]: {
          name: "A flag",
          flagType: "RELEASE",
          prerequisites: [{ flagKey: flag.key }],
        },
      },
    });
    const without = await exported(projectId, "?omit=percentage,rules");
    expect(without.flags[flag.key].environments[environment]).toEqual({ enabled: true });
  });

  it("has the slots of a split only if they do not follow from its weights", async () => {
    const { projectId, environmentId, environment } = await newShop();
    const flag = await newFlag(projectId, COLOURS);
    const set = async (blue: number) => {
      const serve = { weights: { blue, red: 100 - blue } };
      await setStrategy(flag.id, { environmentId, serve });
      return (await exported(projectId)).flags[flag.key].environments[environment].serve;
    };
    expect(await set(70)).toEqual({ weights: { blue: 70, red: 30 } });
    await asAdmin("PUT", `/api/v1/flags/${flag.id}`, {
      variants: [...COLOURS.variants, { key: "teal", value: "#099" }],
    });
    const { serve: stored } = await setStrategy(flag.id, {
      environmentId,
      serve: { weights: { blue: 50, teal: 50 } },
    });
    const { serve } = (await exported(projectId)).flags[flag.key].environments[environment];
    expect(serve.weights).toEqual({ blue: 50, teal: 50 });
    expect(serve.slots).toHaveLength(3);
    expect(serve.slots).toEqual(
      stored.slots.map(({ from, to, variant }: Json) => [from, to, variant]),
    );
  });

  it("is 304 without a body while nothing changes since the ETag in If-None-Match, strong or weak", async () => {
    const { projectId } = await newShop();
    const path = `/api/v1/projects/${projectId}/export`;
    const { headers } = await asAdmin("GET", path);
    const tag = headers.get("ETag") ?? "";
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    expect(headers.get("Cache-Control")).toBe("no-store");
    for (const held of [tag, tag.replace("W/", ""), `"other", ${tag}`, "*"]) {
      const answer = await asAdmin("GET", path, undefined, { "If-None-Match": held });
      expect([answer.status, answer.body, answer.headers.get("ETag")]).toEqual([304, "", tag]);
    }
    await newFlag(projectId);
    const changed = await asAdmin("GET", path, undefined, { "If-None-Match": tag });
    expect([changed.status, Object.keys(changed.body.flags ?? {})]).toEqual([
      200,
      [expect.any(String)],
    ]);
  });

  it("has the same ETag while nothing in the file changes, and refuses unknown names of fields", async () => {
    const { projectId } = await newShop();
    const path = `/api/v1/projects/${projectId}/export`;
    const etag = async () => (await asAdmin("GET", path)).headers.get("ETag");
    const before = await etag();
    expect(await etag()).toBe(before);
    await newFlag(projectId);
    expect(await etag()).not.toBe(before);
    expect((await asAdmin("GET", `${path}?omit=nothing`)).status).toBe(400);
  });
});

it("describes the file with a JSON Schema that anybody may read", async () => {
  const { body } = await asAdmin("GET", "/api/v1/schemas/flags-1.json");
  expect(body.$defs.strategy.properties.percentage).toEqual({
    type: "number",
    minimum: 0,
    maximum: 100,
    default: 100,
  });
});
