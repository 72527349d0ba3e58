import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Runtime, SECRETS, startService } from "../../scripts/service/runtime.ts";
import { migrate } from "../../scripts/service/seed.ts";
import { send, Session } from "../../scripts/lib/api.ts";
import { ROOT } from "../../scripts/lib/processes.ts";
import { signInOf } from "../../scripts/lib/sign-in.ts";
import { workerModules } from "./support/bundle.ts";
import { restart } from "./support/restart.ts";

const FLAGS = 300;
/** At which share of the time of an apply each process is killed. */
const KILLED_AT = [0.4, 0.7, 0.9];

const fileOf = (percentage: number) => ({
  version: 1,
  project: "Shop",
  flags: Object.fromEntries(
    Array.from({ length: FLAGS }, (_, n) => [
      `flag-${n}`,
      { name: `Flag ${n}`, flagType: "RELEASE", environments: { production: { percentage } } },
    ]),
  ),
});

/** The percentages of the strategies with how many have them, and how many files were applied. */
async function stored({ miniflare }: Runtime) {
  const db = await miniflare.getD1Database("DB");
  const [strategies, applies, records] = await db.batch<Readonly<Record<string, number>>>([
    db.prepare("SELECT percentage, count(*) AS n FROM strategies GROUP BY percentage"),
    db.prepare("SELECT coalesce(sum(applies), 0) AS n FROM file_managers"),
    db.prepare("SELECT count(*) AS n FROM audit WHERE action = 'strategy.updated'"),
  ]);
  return {
    strategies: strategies?.results,
    applies: applies?.results[0]?.["n"],
    records: records?.results[0]?.["n"],
  };
}

// Runs only on systems with /proc, in which the test finds the process of the runtime.
it.runIf(existsSync("/proc"))(
  "an apply of a file whose process is killed has changed everything or nothing, and can be repeated",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "apply-kill-"));
    let service = await startService(ROOT, await workerModules(), { folder });
    try {
      await migrate(await service.miniflare.getD1Database("DB"), ROOT);
      const address = `http://127.0.0.1:${service.ports[0]}`;
      const session = await Session.open(address, signInOf(SECRETS));
      if (!session) throw new Error("The administrator must be able to sign in");
      const { id } = await session.post<{ id: number }>("/projects", { name: "Shop" });
      await session.post("/environments", { name: "production", projectId: id });
      const post = (verb: string, percentage: number, planId: string) =>
        send(`${address}/api/v1/projects/${id}/${verb}`, {
          method: "POST",
          token: session.token,
          body: { file: fileOf(percentage) },
          headers: { "If-Match": `"${planId}"` },
        });
      const planOf = async (percentage: number) =>
        ((await post("plan", percentage, "")).body as { id: string }).id;
      const created = performance.now();
      expect((await post("apply", 99, await planOf(99))).status).toBe(200);
      const duration = performance.now() - created;
      for (const [n, share] of KILLED_AT.entries()) {
        const planId = await planOf(n);
        const before = await stored(service);
        const answer = post("apply", n, planId).catch(() => undefined);
        await setTimeout(share * duration);
        service = await restart(service);
        const status = (await answer)?.status;
        const after = await stored(service);
        const isApplied = after.applies !== before.applies;
        // A response that came before the kill says that the file was applied.
        expect([200, undefined]).toContain(status);
        expect(status === 200 && !isApplied).toBe(false);
        const applied = {
          strategies: [{ percentage: n, n: FLAGS }],
          applies: (before.applies ?? 0) + 1,
          records: (before.records ?? 0) + FLAGS,
        };
        expect(after).toEqual(isApplied ? applied : before);
        expect((await post("apply", n, planId)).status).toBe(200);
        expect(await stored(service)).toEqual(applied);
      }
    } finally {
      await service.miniflare.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
