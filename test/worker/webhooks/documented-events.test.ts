import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import documentText from "../../../docs/use/webhooks.md?raw";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { EVENT_TYPES } from "../../../src/db/outbox.ts";
import { markStale } from "../../../src/jobs/mark-stale.ts";
import { runDue } from "../../../src/jobs/schedule/run-due.ts";
import { stopRamps } from "../../../src/jobs/schedule/run-ramp.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { act, approve, as, type As, newScene, opened, REASON } from "../support/change-requests.ts";
import type { Json } from "../support/client.ts";
import { asAdmin } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { receiver } from "../support/receiver.ts";
import {
  newFlag,
  newIntegration,
  newSegment,
  newSubscriber,
  setStrategy,
} from "../support/world.ts";
import { idsOf, ok, world } from "./support.ts";

/** The table of docs/use/webhooks.md: the type of an event, and the third column of its row. */
const ROWS = new Map(
  Array.from(documentText.matchAll(/^\| `([\w-]+\.[\w-]+)` +\|[^|]*\| ([^|]*)\|$/gm), (found) => [
    found[1] ?? "",
    found[2] ?? "",
  ]),
);
/** The fields that the document names for all events. */
const COMMON = ["projectId", "sequence", "actor", "reason", "override", "changeRequest"];
const named = (text: string) => Array.from(text.matchAll(/`(\w+)`/g), ([, name = ""]) => name);

/** The field that has the entity of an event, and a field of it that the document promises. */
const ENTITY: Readonly<Record<string, readonly [string, string]>> = {
  flag: ["flag", "key"],
  segment: ["segment", "name"],
  environment: ["environment", "name"],
  "change-request": ["changeRequest", "title"],
  ramp: ["ramp", "state"],
};

const send = async (method: string, path: string, body?: object) => {
  const answer = await asAdmin(method, `/api/v1/${path}`, body, REASON);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

/** The bodies that a receiver gets, by the type of the event. */
const sent = new Map<string, Json[]>();
let reviewer: As;
let reviewerId: number;
let scene: Awaited<ReturnType<typeof newScene>>;

beforeAll(async () => {
  receiver();
  const { id, token } = await person("DEVELOPER");
  [reviewer, reviewerId] = [as(token), id];
  scene = await newScene({});
  const { projectId } = scene;
  await newSubscriber(projectId);
  await changeFlags();
  await changeRequests();
  await changeRamps();
  vi.useRealTimers();
  for (const body of await bodiesOf(projectId))
    sent.set(body.type, [...(sent.get(body.type) ?? []), body]);
});
afterAll(() => {
  vi.useRealTimers();
});

async function changeFlags() {
  const { projectId, environmentId, flagId } = scene;
  const { id } = await newFlag(projectId);
  await send("PUT", `flags/${id}`, { name: "Renamed" });
  for (const verb of ["archive", "unarchive", "archive"]) await send("POST", `flags/${id}/${verb}`);
  await send("DELETE", `flags/${id}`);
  const segment = await newSegment(projectId, []);
  await send("PUT", `segments/${segment.id}`, { name: "Renamed" });
  await send("DELETE", `segments/${segment.id}`);
  for (const requiredApprovals of [1, 0])
    await send("PUT", `environments/${environmentId}/protection`, { requiredApprovals });
  await env.DB.prepare("UPDATE flags SET updated_at = ? WHERE id = ?")
    .bind(Date.now() - 41 * DAY_MS, flagId)
    .run();
  await markStale(jobDeps(env));
}

async function changeRequests() {
  const { projectId, environmentId, flagId, set } = scene;
  const open = (percentage: number, more: object = {}) =>
    opened(asAdmin, projectId, { operations: [set({ percentage })], ...more });
  const applied = await open(50);
  await act(asAdmin, "reviewers", applied, { add: [reviewerId] });
  await approve(reviewer, applied);
  await act(asAdmin, "apply", applied);
  await act(asAdmin, "close", await open(60));
  const applyAt = new Date(Date.now() + 180_000).toISOString();
  await open(70, { applyAt });
  const archived = await newFlag(projectId);
  const target = { flagId: archived.id as number, environmentId };
  const operations = [{ kind: "strategy.set", target, input: { percentage: 50 } }];
  await opened(asAdmin, projectId, { operations, applyAt });
  await setStrategy(flagId, { environmentId, percentage: 80 });
  await send("POST", `flags/${archived.id}/archive`);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 180_000 });
  await runDue(jobDeps(env), projectId);
}

async function changeRamps() {
  const { environmentId, flagId } = scene;
  const steps = [5, 10].map((exactPercentage) => ({ exactPercentage, holdMinutes: null }));
  const start = async () => (await send("POST", "ramps", { flagId, environmentId, steps })).id;
  const completed = await start();
  for (const verb of ["pause", "resume", "advance"])
    await send("POST", `ramps/${completed}/${verb}`);
  await send("POST", `ramps/${await start()}/abort`);
  await start();
  await setStrategy(flagId, { environmentId, percentage: 90 });
  await stopRamps(jobDeps(env));
}

/** Delivers the events of a project to an integration that no queue knows. Returns the bodies. */
async function bodiesOf(projectId: number): Promise<Json[]> {
  const { id } = await newIntegration(projectId);
  await env.DB.prepare(
    `INSERT INTO webhook_deliveries (event_id, integration_id, status, due_at, created_at)
      SELECT id, ?, 'pending', 0, 0 FROM outbox WHERE project_id = ?`,
  )
    .bind(id, projectId)
    .run();
  const { deliver, received } = world(ok);
  await deliver(await idsOf(id));
  return received.map(({ body }) => body);
}

it("docs/use/webhooks.md has every type of event", () => {
  expect([...ROWS.keys()].toSorted()).toEqual(EVENT_TYPES.toSorted());
});

it.each(EVENT_TYPES)("the body that is sent for %s has what docs/use/webhooks.md says", (type) => {
  const bodies = sent.get(type) ?? [];
  expect(bodies.length).toBeGreaterThan(0);
  const [entity = ""] = type.split(".");
  const [field, detail] = ENTITY[entity] ?? ["", ""];
  const text = ROWS.get(type) ?? "";
  // The document has in parentheses what only some of the events have.
  const required = named(text.replaceAll(/\([^)]*\)/g, ""));
  const allowed = new Set([...COMMON, ...named(text)]);
  expect(required).toContain(field);
  for (const { data } of bodies) {
    const keys = Object.keys(data);
    expect(required.filter((key) => !keys.includes(key))).toEqual([]);
    expect(keys.filter((key) => !allowed.has(key))).toEqual([]);
    expect(data[field]).toMatchObject({ id: expect.any(Number), [detail]: expect.anything() });
  }
});
