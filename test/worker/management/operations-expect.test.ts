import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { execute, planId } from "../../../src/changes/execute.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { asAdmin } from "../support/outcomes.ts";
import { newFlag, newWorld } from "../support/world.ts";

const TRACE_ID = "80f198ee56343ba864fe8b2a57d3eff7";
const WEBHOOKS = { sendBatch: async () => {} } as unknown as Queue;

it("execute runs operations only while their plan is the expected one, and returns 412 afterwards", async () => {
  const { projectId, environmentId } = await newWorld();
  const { id: flagId } = await newFlag(projectId);
  const call = jobDeps({ ...env, WEBHOOKS }).systemCall(TRACE_ID);
  const input = { enabled: true, rules: [{ percentage: 10 }] };
  const target = { flag: { flagId }, environmentId };
  const operations = [{ kind: "strategy.set", target, input }] as const;
  const dryRun = await execute(call, operations, { projectId, dryRun: true });
  const reviewed = await planId(dryRun);
  await asAdmin("PUT", `/api/v1/flags/${flagId}`, { name: "Renamed since" });
  const run = (expected: string) => execute(call, operations, { projectId, expect: expected });
  await expect(run(reviewed)).rejects.toMatchObject({ status: 412, code: "CONFLICT" });
  const again = await planId(await execute(call, operations, { projectId, dryRun: true }));
  expect((await run(again)).revisions).toEqual([{ environmentId, revision: expect.any(Number) }]);
});
