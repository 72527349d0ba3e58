import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { readDb } from "../../../src/db/database.ts";
import { pendingOf } from "../../../src/model/flags/pending-queries.ts";
import { adminToken } from "../support/people.ts";
import { as, act, newScene, opened } from "../support/change-requests.ts";
import { asAdmin } from "../support/outcomes.ts";
import { planOf } from "../support/usage-rows.ts";
import { newEnvironment, newFlag, newSegment, setStrategy } from "../support/world.ts";

const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000).toISOString();

it("with counts=true, the list of flags counts open and scheduled change requests and active ramps of each flag", async () => {
  const admin = as(await adminToken());
  const scene = await newScene();
  const { projectId, flagId, set } = scene;
  const other = await newFlag(projectId);
  const list = async (query = "&counts=true") => {
    const path = `/api/v1/flags/enriched?projectId=${projectId}${query}`;
    const { items } = (await asAdmin("GET", path)).body;
    return items.map(({ pending }: { pending: object }) => pending);
  };
  const none = { changeRequests: 0, scheduled: 0, ramps: 0 };
  expect(await list()).toEqual([none, none]);
  expect(await list("")).toEqual([undefined, undefined]);

  const archive = { kind: "flag.archive", target: { flagId } };
  const request = await opened(admin, projectId, {
    operations: [set({ percentage: 40 }), archive],
  });
  await opened(admin, projectId, {
    operations: [set({ percentage: 60 })],
    applyAt: IN_AN_HOUR(),
  });
  // A segment whose id is the id of the other flag.
  const segment = await newSegment(projectId, []);
  await env.DB.prepare("UPDATE segments SET id = ? WHERE id = ?").bind(other.id, segment.id).run();
  await opened(admin, projectId, {
    operations: [{ kind: "segment.update", target: { id: other.id }, input: { name: "x" } }],
  });
  expect(await list()).toEqual([{ changeRequests: 1, scheduled: 1, ramps: 0 }, none]);

  await act(admin, "close", request);
  const { id: environmentId } = await newEnvironment(projectId);
  await setStrategy(other.id, { environmentId, enabled: true, percentage: 5 });
  const steps = [
    { exactPercentage: 10, holdMinutes: 10 },
    { exactPercentage: 100, holdMinutes: null },
  ];
  const ramp = await asAdmin("POST", "/api/v1/ramps", {
    flagId: other.id,
    environmentId,
    steps,
  });
  expect(ramp).toMatchObject({ status: 201 });
  expect(await list()).toEqual([
    { ...none, scheduled: 1 },
    { ...none, ramps: 1 },
  ]);
});

it("the SQL query for what waits for flags reads only the rows of these flags from indexes", async () => {
  const plan = await planOf(pendingOf(readDb(env.DB.withSession()), [1, 2]));
  expect(plan).toContain(
    "SEARCH o USING COVERING INDEX change_request_operations_target (target_id=?)",
  );
  expect(plan).toContain("SEARCH r USING INTEGER PRIMARY KEY (rowid=?)");
  expect(plan).toContain("SEARCH ramps USING INDEX ramps_active (flag_id=?)");
});
