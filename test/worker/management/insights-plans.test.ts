import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { readDb } from "../../../src/db/database.ts";
import * as queries from "../../../src/management/insights/queries.ts";
import { planOf } from "../support/usage-rows.ts";

const db = readDb(env.DB.withSession());

describe("the SQL query for the insights of a flag", () => {
  const flag = { id: 1, key: "k", projectId: 1 };
  const usage = async (query: Parameters<typeof planOf>[0]) =>
    (await planOf(query)).filter((step) => / \w+_usage/.test(step));

  it.each([undefined, 1])("searches an index when environmentId is %s", async (environmentId) => {
    const period = { from: 1, to: 2, interval: "day" } as const;
    expect(await usage(queries.flagCounts(db, { flag, environmentId }, period))).toEqual([
      expect.stringMatching(
        /^SEARCH flag_usage USING INDEX \S+ \(flag_id=\? AND environment_id=\? AND hour>\? AND hour<\?\)$/,
      ),
      expect.stringMatching(
        /^SEARCH flag_usage_days USING INDEX \S+ \(flag_id=\? AND environment_id=\? AND day>\? AND day<\?\)$/,
      ),
      expect.stringMatching(
        /^SEARCH flag_variant_usage USING INDEX \S+ \(flag_id=\? AND environment_id=\? AND hour>\? AND hour<\?\)$/,
      ),
      expect.stringMatching(
        /^SEARCH flag_variant_usage_days USING INDEX \S+ \(flag_id=\? AND environment_id=\? AND day>\? AND day<\?\)$/,
      ),
    ]);
  });

  it.each([
    ["a", undefined, "environment_id=? AND instance_id=?"],
    ["a", "shop", "environment_id=? AND instance_id=? AND app_name=?"],
    [undefined, "shop", "environment_id=? AND app_name=? AND hour>? AND hour<?"],
  ])(
    "searches an index when instanceId is %s and appName is %s",
    async (instanceId, appName, columns) => {
      const filter = { flag, environmentId: undefined, instanceId, appName };
      const period = { from: 1, to: 2, interval: "hour" } as const;
      const [step, ...more] = await usage(queries.instanceCounts(db, filter, period));
      expect([step, more]).toEqual([expect.stringContaining(`(${columns}`), []]);
      expect(step).toMatch(/^SEARCH/);
    },
  );
});

describe("the SQL queries for the insights of an environment", () => {
  it("search indexes for usage and flags, and never scan a whole table", async () => {
    const period = { from: 1, to: 2, interval: "day" } as const;
    const plans = await Promise.all([
      planOf(queries.environmentCounts(db, 1, period)),
      planOf(queries.mostEvaluated(db, 1, period, 10)),
      planOf(queries.neverEvaluated(db, { id: 1, projectId: 1 }, 100)),
      planOf(queries.staleFlags(db, 1, 2, 100)),
    ]);
    const steps = plans
      .flat()
      .filter((step) => / (?:flag_usage|flag_usage_days|flags)\b/.test(step));
    expect(steps.filter((step) => !step.startsWith("SEARCH "))).toEqual([]);
    const byTime = (column: string) => `(environment_id=? AND ${column}>? AND ${column}<?)`;
    const first = plans[0]?.join("\n");
    expect(first).toContain(`flag_usage USING INDEX flag_usage_environment ${byTime("hour")}`);
    expect(first).toContain(
      `flag_usage_days USING INDEX flag_usage_days_environment ${byTime("day")}`,
    );
    expect(plans[1]?.filter((step) => step.includes(byTime("hour")))).toHaveLength(1);
    expect(
      plans[2]?.filter((step) => step.includes("(flag_id=? AND environment_id=?)")),
    ).toHaveLength(2);
  });
});
