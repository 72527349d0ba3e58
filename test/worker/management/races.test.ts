import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { auditOfEntity } from "../support/records.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  newWorld,
} from "../support/world.ts";

const ROUNDS = 15;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * In each of 15 rounds, calls `prepare` and then starts all runners, each after 0 to 8 ms. Returns
 * the prepared data and the outcomes of each round.
 */
async function race<T>(
  prepare: () => Promise<T>,
  ...runners: ((prepared: T) => Promise<{ status: number; body: unknown; headers: Headers }>)[]
): Promise<{ prepared: T; outcomes: string[] }[]> {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const prepared = await prepare();
    const started = runners.map(async (run, n) => {
      await wait(((round * (n + 1)) % 5) * 2);
      return outcome(await run(prepared));
    });
    rounds.push({ prepared, outcomes: await Promise.all(started) });
  }
  return rounds;
}

const BLUE = { key: "blue", value: "#00f" };
const RED = { key: "red", value: "#f00" };

const countOf = async (table: string, column: string, id: number) => {
  const sql = `SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`;
  return (await env.DB.prepare(sql).bind(id).first<{ n: number }>())?.n;
};

describe("a race", () => {
  it.each([
    ["a strategy", "strategy_segments", (id: number) => ({ segmentIds: [id] })],
    [
      "an ordered rule",
      "strategy_rule_segments",
      (id: number) => ({ rules: [{ segmentIds: [id] }] }),
    ],
  ])(
    "between deleting a segment and using the segment in %s never succeeds for both requests",
    async (_, table, use) => {
      const { projectId, environmentId } = await newWorld();
      const prepare = async () => ({
        segment: await newSegment(projectId, [inCountries("de")]),
        flag: await newFlag(projectId),
      });
      const rounds = await race(
        prepare,
        ({ segment }) => asAdmin("DELETE", `/api/v1/segments/${segment.id}`),
        ({ segment, flag }) =>
          asAdmin("PUT", `/api/v1/flags/${flag.id}/strategies`, {
            environmentId,
            ...use(segment.id),
          }),
      );
      for (const { prepared, outcomes } of rounds) {
        expect(["204,404 NOT_FOUND", "409 CONFLICT,200"]).toContain(outcomes.join());
        const used = await countOf(table, "segment_id", prepared.segment.id);
        expect(used).toBe(outcomes[1] === "200" ? 1 : 0);
      }
    },
  );

  it.each([
    ["in a strategy", { serve: { variant: "red" } }],
    ["in a weighted split", { serve: { weights: { blue: 99.999, red: 0.001 } } }],
    ["in an ordered rule", { rules: [{ serve: { variant: "red" } }] }],
    ["in the split of an ordered rule", { rules: [{ serve: { weights: { blue: 50, red: 50 } } }] }],
  ])(
    "between removing a variant and serving the variant %s never succeeds for both requests",
    async (_, strategy) => {
      const { projectId, environmentId } = await newWorld();
      const rounds = await race(
        () => newFlag(projectId, { valueType: "string", variants: [BLUE, RED] }),
        ({ id }) => asAdmin("PUT", `/api/v1/flags/${id}`, { variants: [BLUE] }),
        ({ id }) => {
          const body = { environmentId, ...strategy };
          return asAdmin("PUT", `/api/v1/flags/${id}/strategies`, body);
        },
      );
      for (const { prepared, outcomes } of rounds) {
        expect(["200,400 VALIDATION_ERROR", "409 CONFLICT,200"]).toContain(outcomes.join());
        const isServed = outcomes[1] === "200";
        const { body: after } = await asAdmin("GET", `/api/v1/flags/${prepared.id}`);
        expect(after.variants).toEqual(isServed ? [BLUE, RED] : [BLUE]);
        const { body: served } = await asAdmin(
          "GET",
          `/api/v1/flags/${prepared.id}/strategies/${environmentId}`,
        );
        expect([served.version, JSON.stringify(served).includes("red")]).toEqual([
          isServed ? 1 : 0,
          isServed,
        ]);
      }
    },
  );

  it("between removing a variant and requiring the variant never succeeds for both requests", async () => {
    const { projectId } = await newWorld();
    const rounds = await race(
      async () => ({
        parent: await newFlag(projectId, { valueType: "string", variants: [BLUE, RED] }),
        child: await newFlag(projectId),
      }),
      ({ parent }) => asAdmin("PUT", `/api/v1/flags/${parent.id}`, { variants: [BLUE] }),
      ({ parent, child }) =>
        asAdmin("PUT", `/api/v1/flags/${child.id}`, {
          prerequisites: [{ flagKey: parent.key, variants: ["red"] }],
        }),
    );
    for (const { prepared, outcomes } of rounds) {
      expect(["200,400 VALIDATION_ERROR", "409 CONFLICT,200"]).toContain(outcomes.join());
      const isRequired = outcomes[1] === "200";
      const [parent, child] = await Promise.all(
        [prepared.parent, prepared.child].map(({ id }) => asAdmin("GET", `/api/v1/flags/${id}`)),
      );
      expect([parent?.body.variants.length, child?.body.prerequisites.length]).toEqual(
        isRequired ? [2, 1] : [1, 0],
      );
    }
  });

  const set = (flagId: number, environmentId: number) =>
    asAdmin("PUT", `/api/v1/flags/${flagId}/strategies`, { environmentId, enabled: true });

  it("between deleting an environment and setting a strategy in the environment leaves no orphaned rows", async () => {
    const { id: projectId } = await newProject();
    const flag = await newFlag(projectId);
    const rounds = await race(
      () => newEnvironment(projectId),
      ({ id }) => asAdmin("DELETE", `/api/v1/environments/${id}`),
      ({ id }) => set(flag.id, id),
    );
    for (const { prepared, outcomes } of rounds) {
      expect(["204,200", "204,404 NOT_FOUND"]).toContain(outcomes.join());
      expect(await countOf("strategies", "environment_id", prepared.id)).toBe(0);
      expect(await countOf("rule_changes", "environment_id", prepared.id)).toBe(0);
    }
    const successes = rounds.filter(({ outcomes }) => outcomes[1] === "200");
    const actions = (await auditOfEntity("flag", flag.id)).map(({ action }) => action);
    expect(actions.filter((action) => action === "strategy.updated")).toHaveLength(
      successes.length,
    );
  });

  it("between deleting a flag and setting its strategy leaves no orphaned rows", async () => {
    const { projectId, environmentId } = await newWorld();
    const prepare = async () => {
      const flag = await newFlag(projectId);
      await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
      return flag;
    };
    const rounds = await race(
      prepare,
      ({ id }) => asAdmin("DELETE", `/api/v1/flags/${id}`),
      ({ id }) => set(id, environmentId),
    );
    for (const { prepared, outcomes } of rounds) {
      expect(["204,200", "204,404 NOT_FOUND"]).toContain(outcomes.join());
      expect(await countOf("strategies", "flag_id", prepared.id)).toBe(0);
    }
  });

  it("between deleting an environment and creating an API key for the environment never succeeds for both requests", async () => {
    const { id: projectId } = await newProject();
    const rounds = await race(
      () => newEnvironment(projectId),
      ({ id }) => asAdmin("DELETE", `/api/v1/environments/${id}`),
      ({ id: environmentId }) =>
        asAdmin("POST", "/api/v1/api-keys", { name: "k", keyType: "SERVER", environmentId }),
    );
    for (const { prepared, outcomes } of rounds) {
      expect(["204,404 NOT_FOUND", "409 CONFLICT,201"]).toContain(outcomes.join());
      const keys = await countOf("api_keys", "environment_id", prepared.id);
      expect(keys).toBe(outcomes[1] === "201" ? 1 : 0);
    }
  });

  it("between deleting a project and creating a flag, a segment and an environment in the project leaves no orphaned rows", async () => {
    const rounds = await race(
      newProject,
      ({ id }) => asAdmin("DELETE", `/api/v1/projects/${id}`),
      ({ id: projectId }) =>
        asAdmin("POST", "/api/v1/flags", { key: "k", name: "n", flagType: "RELEASE", projectId }),
      ({ id: projectId }) => asAdmin("POST", "/api/v1/segments", { name: "s", projectId }),
      ({ id: projectId }) => asAdmin("POST", "/api/v1/environments", { name: "e", projectId }),
    );
    for (const { prepared, outcomes } of rounds) {
      expect(outcomes[0]).toBe("204");
      for (const one of outcomes.slice(1)) expect(["201", "404 NOT_FOUND"]).toContain(one);
      for (const table of ["flags", "segments", "environments"])
        expect(await countOf(table, "project_id", prepared.id)).toBe(0);
    }
  });
});
