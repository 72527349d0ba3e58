import { type Build, seededService } from "./comparisons.ts";
import { fixtureFlagsWithValues } from "../../scripts/service/fixtures.ts";
import { ask, features } from "../../scripts/service/scenarios.ts";
import { median } from "../../scripts/lib/statistics.ts";
import { cpuSeconds } from "../../scripts/service/workerd.ts";
import { inOrder } from "../../scripts/lib/in-order.ts";

const FLAGS = 5_000;
/**
 * How many environments to build the rules for. The first builds warm up the isolate and the
 * database.
 */
const ENVIRONMENTS = 9;
const WARM_UPS = 3;

/** The measured cost of building the rules of many flags with values. */
export interface BuildReport {
  readonly flags: number;
  /** The size of the list of rules, bytes. */
  readonly bytes: number;
  /**
   * The CPU time of the workerd process for the first response of an environment, milliseconds: the
   * database reads all rows, and the isolate builds the rules, sends them and stores them in KV.
   */
  readonly cpuMs: number;
}

/** Measures the first response for environments whose rules neither memory nor KV has. */
export async function measureBuild(build: Build): Promise<BuildReport> {
  const flags = fixtureFlagsWithValues(FLAGS, { valueBytes: 60, rules: 3 });
  const service = await seededService(build, flags, ENVIRONMENTS);
  const port = service.ports[0] ?? Number.NaN;
  try {
    const environments = Array.from({ length: ENVIRONMENTS }, (_, index) => index + 1);
    const builds = await inOrder(environments, async (environment) => {
      const before = cpuSeconds(service.pid) ?? Number.NaN;
      const { body } = await ask(port, features(environment));
      const cpuMs = ((cpuSeconds(service.pid) ?? Number.NaN) - before) * 1_000;
      return { bytes: body.byteLength, cpuMs };
    });
    const cpuMs = median(builds.slice(WARM_UPS).map((one) => one.cpuMs));
    return { flags: FLAGS, bytes: builds[0]?.bytes ?? Number.NaN, cpuMs };
  } finally {
    await service.miniflare.dispose();
  }
}
