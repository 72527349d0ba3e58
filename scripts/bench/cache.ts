import { takeCounts } from "./counts.ts";
import { fixtureFlags } from "./fixtures.ts";
import { sequentially } from "./sequentially.ts";
import { inspect } from "./inspector.ts";
import { startService } from "./runtime.ts";
import { ask, evaluation, features } from "./scenarios.ts";
import { migrate, seed } from "./seed.ts";
import { residentBytes } from "./workerd.ts";

export const ENVIRONMENTS = 60;
export const FLAGS = 2_000;

interface Memory {
  readonly heapBytes: number;
  readonly residentBytes: number | undefined;
}

export interface CacheReport {
  readonly memory: readonly (Memory & { readonly after: string })[];
  /**
   * The number of KV reads during one more visit to the last environment, and to the first
   * environment. A visit fetches the rules and evaluates flags.
   */
  readonly kvReads: { readonly last: number; readonly first: number };
}

/**
 * Measures the memory of an isolate that repeatedly serves and evaluates more environments than fit
 * into its rule cache.
 */
export async function fillCache(root: string, source: string): Promise<CacheReport> {
  const runtime = await startService(root, source, { counted: true, inspected: true });
  const port = runtime.ports[0] ?? Number.NaN;
  const inspector = await inspect(runtime.miniflare, () => takeCounts(port));
  try {
    const flags = fixtureFlags(FLAGS);
    const db = await runtime.miniflare.getD1Database("DB");
    await migrate(db, root);
    await seed(db, flags, ENVIRONMENTS);
    const toggles = flags.slice(0, 10).map(({ key }) => key);
    const visit = async (environment: number) => {
      await ask(port, features(environment));
      await ask(port, evaluation(toggles, environment));
    };
    const memoryAfter = async (after: string) => ({
      after,
      heapBytes: await inspector.heapBytes(),
      residentBytes: residentBytes(runtime.pid),
    });
    const environments = Array.from({ length: ENVIRONMENTS }, (_, index) => index + 1);
    const visitAll = async (after: string) => {
      await sequentially(environments, visit);
      return memoryAfter(after);
    };
    const readsOf = async (environment: number) => {
      await takeCounts(port);
      await visit(environment);
      return (await takeCounts(port)).kvReads;
    };
    await visit(1);
    const memory = [
      await memoryAfter("one environment"),
      await visitAll(`${ENVIRONMENTS} environments`),
      await visitAll("a second pass"),
      await visitAll("a third pass"),
    ];
    const last = await readsOf(ENVIRONMENTS);
    const first = await readsOf(1);
    return { memory, kvReads: { last, first } };
  } finally {
    inspector.close();
    await runtime.miniflare.dispose();
  }
}
