import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Runtime, SECRETS, startService } from "../../scripts/bench/runtime.ts";
import { migrate } from "../../scripts/bench/seed.ts";
import { Session } from "../../scripts/lib/api.ts";
import { ROOT } from "../../scripts/lib/processes.ts";
import { signInOf } from "../../scripts/lib/sign-in.ts";
import { workerBundle } from "./support/bundle.ts";

const PROJECTS = 20;
const REQUESTS = 10;
const ALL = PROJECTS * REQUESTS;
/** How long after its start each process is killed, milliseconds. */
const KILLED_AFTER_MS = [3_000, 0, 50, 100, 200, 400, 700, 1_000];
/** How long after the first request is opened the first request is due, milliseconds. */
const OPENING_MS = 8_000;
/**
 * How much later each further request of a project is due, milliseconds. So some requests are due
 * while a process starts, and are being applied when it is killed.
 */
const EVERY_MS = 3_000;

interface Created {
  readonly id: number;
}

const KEYS = Array.from({ length: REQUESTS }, (_, n) => `flag-${n}`);

/** Creates a project with flags, and with an integration that its events go to. */
async function newProject(session: Session, name: string) {
  const { id: projectId } = await session.post<Created>("/projects", { name });
  const environment = { name, projectId };
  const { id: environmentId } = await session.post<Created>("/environments", environment);
  await session.post("/integrations", {
    projectId,
    name: "receiver",
    type: "custom_webhook",
    enabled: true,
    configJson: JSON.stringify({ url: "https://receiver.example.com/hook" }),
    eventSubscriptionsJson: JSON.stringify(["flag.updated", "change-request.applied"]),
  });
  const operations = KEYS.map((key) => ({
    kind: "flag.create",
    input: { key, name: key, flagType: "RELEASE" },
  }));
  await session.post("/operations", { projectId, operations });
  return { projectId, environmentId };
}

/** Creates projects, and schedules a change request for each of their flags. */
async function prepare(session: Session): Promise<void> {
  const projects = await Promise.all(
    Array.from({ length: PROJECTS }, (_, n) => newProject(session, `project-${n}`)),
  );
  const firstAt = Date.now() + OPENING_MS;
  const open = (projectId: number, environmentId: number, flagKey: string, n: number) => {
    const applyAt = new Date(firstAt + n * EVERY_MS).toISOString();
    const target = { flagKey, environmentId };
    const operations = [{ kind: "strategy.set", target, input: { percentage: 50 } }];
    return session.post("/change-requests", { projectId, title: flagKey, applyAt, operations });
  };
  for (const { projectId, environmentId } of projects)
    await Promise.all(KEYS.map((flagKey, n) => open(projectId, environmentId, flagKey, n)));
}

async function count(miniflare: Runtime["miniflare"], sql: string): Promise<number> {
  const db = await miniflare.getD1Database("DB");
  return (await db.prepare(`SELECT count(*) AS n FROM ${sql}`).first<{ n: number }>())?.n ?? 0;
}
const applied = ({ miniflare }: Runtime) =>
  count(miniflare, "change_requests WHERE state = 'applied'");

/** Waits until all requests are applied. Runs the cron, because a kill can lose an alarm. */
async function allApplied(service: Runtime): Promise<void> {
  const worker = await service.miniflare.getWorker();
  while ((await applied(service)) < ALL) {
    await worker.scheduled({ cron: "* * * * *" });
    await setTimeout(500);
  }
}

async function kill({ miniflare, pid }: Runtime): Promise<void> {
  process.kill(pid ?? Number.NaN, "SIGKILL");
  // Disposes of Miniflare, which would otherwise start the ended process again.
  await miniflare.dispose();
}

// Runs only on systems with /proc, in which the test finds the process of the runtime.
it.runIf(existsSync("/proc"))(
  `applies and announces each of ${ALL} scheduled change requests once, although the runtime is killed ${KILLED_AFTER_MS.length} times meanwhile`,
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "schedule-kill-"));
    const variables = { QUOTA_PROJECTS: "100" };
    const start = () => startService(ROOT, workerBundle(), { folder, variables });
    let service = await start();
    try {
      await migrate(await service.miniflare.getD1Database("DB"), ROOT);
      const address = `http://127.0.0.1:${service.ports[0]}`;
      const session = await Session.open(address, signInOf(SECRETS));
      if (!session) throw new Error("The administrator must be able to sign in");
      await prepare(session);
      for (const killedAfter of KILLED_AFTER_MS) {
        await setTimeout(killedAfter);
        await kill(service);
        service = await start();
      }
      await allApplied(service);
      const { miniflare } = service;
      const announced = "(SELECT DISTINCT project_id, entity_id FROM outbox WHERE type =";
      const audited = "audit WHERE action =";
      expect(await count(miniflare, `${audited} 'change-request.applied'`)).toBe(ALL);
      expect(await count(miniflare, `${audited} 'strategy.updated'`)).toBe(ALL);
      expect(await count(miniflare, "outbox WHERE type = 'change-request.applied'")).toBe(ALL);
      expect(await count(miniflare, "outbox WHERE type = 'flag.updated'")).toBe(ALL);
      expect(await count(miniflare, `${announced} 'change-request.applied')`)).toBe(ALL);
      expect(await count(miniflare, "strategies WHERE percentage = 50")).toBe(ALL);
      expect(await count(miniflare, "change_requests WHERE next_at IS NOT NULL")).toBe(0);
    } finally {
      await service.miniflare.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
