import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Runtime, SECRETS, startService } from "../../scripts/service/runtime.ts";
import { migrate } from "../../scripts/service/seed.ts";
import { Session } from "../../scripts/lib/api.ts";
import { ROOT } from "../../scripts/lib/processes.ts";
import { signInOf } from "../../scripts/lib/sign-in.ts";
import { workerModules } from "./support/bundle.ts";
import { restart } from "./support/restart.ts";

const KILLS = 20;
/** How many projects have a request that is due before each kill. */
const PROJECTS = 10;
const ALL = KILLS * PROJECTS;
/** How long before they are due the requests are opened, milliseconds. */
const AHEAD_MS = 1_500;
/**
 * How long after the requests are due the first process is killed, and how much later or earlier the
 * next one, milliseconds. The steps become half as long when a kill was too late after one that was
 * too early, or the other way round. So some kills hit the middle of a run on machines of any speed.
 */
const FIRST_KILL_AFTER_MS = 130;
const STEP_MS = { first: 80, least: 10 };

interface Created {
  readonly id: number;
}

interface Project {
  readonly projectId: number;
  readonly environmentId: number;
}

const KEYS = Array.from({ length: KILLS }, (_, n) => `flag-${n}`);

/** Creates a project with flags, and with an integration that its events go to. */
async function newProject(session: Session, name: string): Promise<Project> {
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

/** Opens a request for a flag of each project. Returns when they are due, epoch milliseconds. */
async function schedule(session: Session, projects: readonly Project[], flagKey: string) {
  const dueAt = Date.now() + AHEAD_MS;
  const applyAt = new Date(dueAt).toISOString();
  const open = ({ projectId, environmentId }: Project) => {
    const target = { flagKey, environmentId };
    const operations = [{ kind: "strategy.set", target, input: { percentage: 50 } }];
    return session.post("/change-requests", { projectId, title: flagKey, applyAt, operations });
  };
  await Promise.all(projects.map(open));
  return dueAt;
}

async function count(miniflare: Runtime["miniflare"], sql: string): Promise<number> {
  const db = await miniflare.getD1Database("DB");
  return (await db.prepare(`SELECT count(*) AS n FROM ${sql}`).first<{ n: number }>())?.n ?? 0;
}
const APPLIED = "change_requests WHERE state = 'applied'";

async function runCron({ miniflare }: Runtime): Promise<void> {
  const worker = await miniflare.getWorker();
  await worker.scheduled({ cron: "* * * * *" });
}

/** Waits until all requests are applied. Runs the cron, because a kill can lose an alarm. */
async function allApplied(service: Runtime): Promise<void> {
  while ((await count(service.miniflare, APPLIED)) < ALL) {
    await runCron(service);
    await setTimeout(500);
  }
}

// Runs only on systems with /proc, in which the test finds the process of the runtime.
it.runIf(existsSync("/proc"))(
  `applies and announces each of ${ALL} scheduled change requests once, although the runtime is killed ${KILLS} times meanwhile`,
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "schedule-kill-"));
    const variables = { QUOTA_PROJECTS: "100" };
    let service = await startService(ROOT, await workerModules(), { folder, variables });
    const { miniflare } = service;
    try {
      await migrate(await miniflare.getD1Database("DB"), ROOT);
      const address = `http://127.0.0.1:${service.ports[0]}`;
      const session = await Session.open(address, signInOf(SECRETS));
      if (!session) throw new Error("The administrator must be able to sign in");
      const names = Array.from({ length: PROJECTS }, (_, n) => `project-${n}`);
      const projects = await Promise.all(names.map((name) => newProject(session, name)));
      let interrupted = 0;
      let killedAfter = FIRST_KILL_AFTER_MS;
      let step = STEP_MS.first;
      for (const flagKey of KEYS) {
        const dueAt = await schedule(session, projects, flagKey);
        await setTimeout(Math.max(0, dueAt + killedAfter - Date.now()));
        const killedAt = Date.now();
        service = await restart(service);
        const isBefore = `title = '${flagKey}' AND closed_at <= ${killedAt}`;
        const before = await count(miniflare, `change_requests WHERE ${isBefore}`);
        if (before > 0 && before < PROJECTS) {
          interrupted++;
          continue;
        }
        const direction = before === 0 ? 1 : -1;
        if (direction !== Math.sign(step)) step = -step / 2;
        if (Math.abs(step) < STEP_MS.least) step = direction * STEP_MS.least;
        killedAfter = Math.max(0, killedAfter + step);
      }
      // The others have left all requests to the next process, or none.
      expect(interrupted).toBeGreaterThan(0);
      await allApplied(service);
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
      await miniflare.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
