import {
  fixtureFlags,
  fixtureFlagsWithValues,
  type FixtureFlag,
} from "../../scripts/service/fixtures.ts";
import { startBare } from "./bare.ts";
import { type Comparison, side } from "./rounds.ts";
import type { Module } from "../../scripts/service/modules.ts";
import { type Runtime, type ServiceOptions, startService } from "../../scripts/service/runtime.ts";
import {
  ask,
  evaluationOfValues,
  features,
  ofrepAll,
  ofrepScenarios,
  type Scenario,
  scenarios,
  unchanged,
  unleashFeatures,
  unleashFrontend,
  usageReport,
} from "../../scripts/service/scenarios.ts";
import { migrate, seed } from "../../scripts/service/seed.ts";
import { inOrder } from "../../scripts/lib/in-order.ts";

const FLAGS_WITH_VALUES = 100;
const FLAGS_OF_OPENFEATURE = 100;
const FLAGS_OF_UNLEASH = 100;

export interface Setup {
  readonly comparisons: readonly Comparison[];
  dispose(): Promise<void>;
}

/** The built service of one checkout. */
export interface Build {
  readonly root: string;
  readonly modules: readonly Module[];
}

export async function seededService(
  { root, modules }: Build,
  flags: readonly FixtureFlag[],
  environments = 1,
  options: ServiceOptions = {},
) {
  const service = await startService(root, modules, options);
  const db = await service.miniflare.getD1Database("DB");
  await migrate(db, root);
  await seed(db, flags, environments);
  return service;
}

/**
 * Includes the work of the queue consumer in the measurement of usage reports, because the reports
 * cause it.
 */
const REPORTS: ServiceOptions = { consumes: true };

/**
 * Starts two services, each with `count` flags. In the comparisons, the second service takes the
 * place of the bare Worker, the minimal Worker that is the usual baseline.
 */
export async function startTwoServices(build: Build, other: Build, count: number): Promise<Setup> {
  const flags = fixtureFlags(count);
  const service = await seededService(build, flags);
  const baseline = await seededService(other, flags);
  const port = service.ports[0] ?? Number.NaN;
  const requests = scenarios(flags, await etagOf(port, features()));
  const ofOpenFeature =
    count === FLAGS_OF_OPENFEATURE ? ofrepScenarios(flags, await etagOf(port, ofrepAll())) : [];
  return twoSides(flags, [...requests, ...ofOpenFeature], [service, baseline]);
}

/** Starts two services as `startTwoServices` does, for usage reports. */
export async function startTwoServicesForReports(
  build: Build,
  other: Build,
  count: number,
): Promise<Setup> {
  const flags = fixtureFlags(count);
  const service = await seededService(build, flags, 1, REPORTS);
  const baseline = await seededService(other, flags, 1, REPORTS);
  return twoSides(flags, [usageReport(flags)], [service, baseline]);
}

const twoSides = (
  flags: readonly FixtureFlag[],
  requests: readonly Scenario[],
  [service, baseline]: readonly [Runtime, Runtime],
): Setup => ({
  comparisons: requests.map((scenario) => ({
    flags: flags.length,
    scenario,
    service: side(service),
    bare: side(baseline),
  })),
  dispose: async () => {
    await Promise.all([service.miniflare.dispose(), baseline.miniflare.dispose()]);
  },
});

/**
 * Starts the service with `count` flags, and bare Workers that return the service's responses from
 * memory.
 */
export async function startServiceAndBare(build: Build, count: number): Promise<Setup> {
  const flags = fixtureFlags(count);
  const service = await seededService(build, flags);
  const etag = await etagOf(service.ports[0] ?? Number.NaN, features());
  return serviceAndBare(build, service, { flags, requests: scenarios(flags, etag) });
}

/**
 * Starts the service for the requests of OpenFeature clients, and a bare Worker that returns its
 * responses.
 */
export async function startServiceForOpenFeature(build: Build): Promise<Setup> {
  const flags = fixtureFlags(FLAGS_OF_OPENFEATURE);
  const service = await seededService(build, flags);
  const etag = await etagOf(service.ports[0] ?? Number.NaN, ofrepAll());
  return serviceAndBare(build, service, { flags, requests: ofrepScenarios(flags, etag) });
}

/**
 * Starts the service with flags whose values have 1 KB, and a bare Worker that returns its
 * responses.
 */
export async function startServiceWithValues(build: Build): Promise<Setup> {
  const flags = fixtureFlagsWithValues(FLAGS_WITH_VALUES, { valueBytes: 1024, rules: 1 });
  const service = await seededService(build, flags);
  return serviceAndBare(build, service, { flags, requests: [evaluationOfValues(flags)] });
}

/**
 * Starts the service with `count` flags for usage reports, and a bare Worker that returns its
 * responses.
 */
export async function startServiceForReports(build: Build, count: number): Promise<Setup> {
  const flags = fixtureFlags(count);
  const service = await seededService(build, flags, 1, REPORTS);
  return serviceAndBare(build, service, { flags, requests: [usageReport(flags)] });
}

/**
 * Starts the service for the requests of Unleash SDKs. In the comparisons, the corresponding requests
 * of other SDKs to the same service take the place of the bare Worker.
 */
export async function startServiceForUnleash(build: Build): Promise<Setup> {
  const flags = fixtureFlags(FLAGS_OF_UNLEASH);
  const service = await seededService(build, flags);
  const port = service.ports[0] ?? Number.NaN;
  const [ofUnleash, ofSdk] = [unleashFeatures(), features()];
  const [document, rules] = [await ask(port, ofUnleash), await ask(port, ofSdk)];
  const pairs = [
    { scenario: ofUnleash, other: ofSdk, sizeRatio: document.body.length / rules.body.length },
    {
      scenario: unchanged(ofUnleash, document.headers["etag"] ?? ""),
      other: unchanged(ofSdk, rules.headers["etag"] ?? ""),
    },
    { scenario: unleashFrontend(), other: ofrepAll() },
  ];
  return {
    comparisons: pairs.map((pair) =>
      Object.assign(pair, {
        flags: flags.length,
        service: side(service),
        bare: side(service),
      }),
    ),
    dispose: () => service.miniflare.dispose(),
  };
}

/** Sends a request once, and returns the ETag of the response. */
const etagOf = async (port: number, scenario: Scenario): Promise<string> =>
  (await ask(port, scenario)).headers["etag"] ?? "";

interface Measured {
  readonly flags: readonly FixtureFlag[];
  readonly requests: readonly Scenario[];
}

/** Starts bare Workers that return the service's responses to the requests. */
async function serviceAndBare(
  build: Build,
  service: Runtime,
  { flags, requests }: Measured,
): Promise<Setup> {
  const port = service.ports[0] ?? Number.NaN;
  const bare = await startBare(
    build.root,
    await inOrder(requests, (scenario) => ask(port, scenario)),
  );
  return {
    comparisons: requests.map((scenario, index) => ({
      flags: flags.length,
      scenario,
      service: side(service),
      bare: side(bare, index),
    })),
    dispose: async () => {
      await Promise.all([service.miniflare.dispose(), bare.miniflare.dispose()]);
    },
  };
}
