import { fixtureFlags, type FixtureFlag } from "./fixtures.ts";
import { sequentially } from "./sequentially.ts";
import { type Comparison, side } from "./rounds.ts";
import { startBare, startService } from "./runtime.ts";
import { ask, features, scenarios } from "./scenarios.ts";
import { migrate, seed } from "./seed.ts";

export interface Setup {
  readonly comparisons: readonly Comparison[];
  dispose(): Promise<void>;
}

/** The built service of one checkout. */
export interface Build {
  readonly root: string;
  readonly source: string;
}

async function seededService({ root, source }: Build, flags: readonly FixtureFlag[]) {
  const service = await startService(root, source);
  const db = await service.miniflare.getD1Database("DB");
  await migrate(db, root);
  await seed(db, flags, 1);
  return service;
}

/**
 * Starts two services with this many flags each. In the comparisons, the second service takes the
 * place of the bare Worker.
 */
export async function startTwoServices(build: Build, other: Build, count: number): Promise<Setup> {
  const flags = fixtureFlags(count);
  const service = await seededService(build, flags);
  const baseline = await seededService(other, flags);
  const { headers } = await ask(service.ports[0] ?? Number.NaN, features());
  return {
    comparisons: scenarios(flags, headers["etag"] ?? "").map((scenario) => ({
      flags: count,
      scenario,
      service: side(service),
      bare: side(baseline),
    })),
    dispose: async () => {
      await Promise.all([service.miniflare.dispose(), baseline.miniflare.dispose()]);
    },
  };
}

/**
 * Starts the service with this many flags, and bare Workers that return the service's responses
 * from memory.
 */
export async function startServiceAndBare({ root, source }: Build, count: number): Promise<Setup> {
  const flags = fixtureFlags(count);
  const service = await seededService({ root, source }, flags);
  const port = service.ports[0] ?? Number.NaN;
  const { headers } = await ask(port, features());
  const requests = scenarios(flags, headers["etag"] ?? "");
  const bare = await startBare(
    root,
    await sequentially(requests, (scenario) => ask(port, scenario)),
  );
  return {
    comparisons: requests.map((scenario, index) => ({
      flags: count,
      scenario,
      service: side(service),
      bare: side(bare, index),
    })),
    dispose: async () => {
      await Promise.all([service.miniflare.dispose(), bare.miniflare.dispose()]);
    },
  };
}
