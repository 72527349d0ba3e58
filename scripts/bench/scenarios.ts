import { context, type FixtureFlag } from "./fixtures.ts";
import { CHANGED_AT, keyOf } from "./seed.ts";

/** One request that SDKs send repeatedly. */
export interface Scenario {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** If set, the load generator sends these bodies in turn instead of `body`. */
  readonly bodies?: readonly string[];
  readonly status: number;
  /** Whether the service goes on working for the request after its response. */
  readonly worksLater?: boolean;
}

/** The service's response, which the bare Worker returns as well. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly readsBody: boolean;
}

const EVALUATED = 10;

export const features = (environment = 1): Scenario => ({
  name: "features 200",
  method: "GET",
  path: "/api/client/features",
  headers: { Authorization: `Bearer ${keyOf(environment)}`, Accept: "application/json" },
  body: "",
  status: 200,
});

export function evaluation(toggles: readonly string[], environment = 1): Scenario {
  const asked = toggles.length > 0 ? { context, toggles } : { context };
  return {
    ...features(environment),
    name: toggles.length > 0 ? `evaluate ${toggles.length}` : "evaluate all",
    method: "POST",
    path: "/api/client/evaluate",
    headers: { ...features(environment).headers, "Content-Type": "application/json" },
    body: JSON.stringify(asked),
  };
}

/**
 * Returns the five requests that the benchmark compares for boolean flags.
 */
export function scenarios(flags: readonly FixtureFlag[], etag: string): Scenario[] {
  const full = features();
  const since = new Date(CHANGED_AT).toISOString();
  return [
    full,
    {
      ...full,
      name: "features 304",
      headers: { ...full.headers, "If-None-Match": etag },
      status: 304,
    },
    { ...full, name: "delta", path: `${full.path}?since=${since}` },
    evaluation(spreadKeys(flags)),
    evaluation([]),
  ];
}

/** Returns the evaluation of ten flags with values. */
export const evaluationOfValues = (flags: readonly FixtureFlag[]): Scenario => ({
  ...evaluation(spreadKeys(flags)),
  name: `evaluate ${EVALUATED}, values of 1 KB`,
});

/** Returns the evaluation of all flags, as the web provider of OpenFeature requests it. */
export const ofrepAll = (): Scenario => ({
  ...features(),
  name: "OFREP all 200",
  method: "POST",
  path: "/api/ofrep/v1/evaluate/flags",
  headers: { ...features().headers, "Content-Type": "application/json" },
  body: JSON.stringify({ context }),
});

/**
 * Returns the three requests of OpenFeature clients. `etag`: the ETag of the evaluation of all
 * flags.
 */
export function ofrepScenarios(flags: readonly FixtureFlag[], etag: string): Scenario[] {
  const all = ofrepAll();
  return [
    all,
    {
      ...all,
      name: "OFREP all 304",
      headers: { ...all.headers, "If-None-Match": etag },
      status: 304,
    },
    { ...all, name: "OFREP one", path: `${all.path}/${flags[0]?.key}` },
  ];
}

/** The number of flags in a usage report, and of SDK instances that send reports. */
const REPORTED = 20;
const INSTANCES = 50;

/** Returns the name of an SDK instance, for the bodies of reports and the headers of polls. */
const instanceName = (instance: number): string => `bench-${instance}`;

/**
 * Returns the usage report of an SDK instance about 20 of the flags. Every report counts each of
 * them twice as true and once as false.
 */
const reportOf = (flags: readonly FixtureFlag[], instance: number): string =>
  JSON.stringify({
    evaluations: Object.fromEntries(
      spreadKeys(flags, REPORTED).map((key) => [key, { t: 2, f: 1 }]),
    ),
    appName: "bench",
    instanceId: instanceName(instance),
    sdkVersion: "bench:1.0.0",
  });

/** Returns the request that reports usage, from 50 SDK instances in turn. */
export function usageReport(flags: readonly FixtureFlag[]): Scenario {
  const bodies = Array.from({ length: INSTANCES }, (_, instance) => reportOf(flags, instance));
  return {
    ...features(),
    name: `report of ${REPORTED} flags`,
    method: "POST",
    path: "/api/client/metrics",
    headers: { ...features().headers, "Content-Type": "application/json" },
    body: bodies[0] ?? "",
    bodies,
    status: 202,
    worksLater: true,
  };
}

/** Returns the keys of `count` flags, spread over the list of flags. */
function spreadKeys(flags: readonly FixtureFlag[], count = EVALUATED): string[] {
  const step = Math.floor(flags.length / count);
  const asked = flags.filter((_, index) => index % step === 0).slice(0, count);
  return asked.map(({ key }) => key);
}

/** Sends the request once. Throws: an Error when the response is not the expected one. */
export async function ask(port: number, scenario: Scenario): Promise<Answer> {
  const { method, path, headers, body, status } = scenario;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    body: method === "POST" ? body : null,
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (answer.status !== status)
    throw new Error(`${scenario.name}: ${answer.status} ${new TextDecoder().decode(bytes)}`);
  const kept = [...answer.headers].filter(([name]) => name !== "content-length");
  return {
    status,
    headers: Object.fromEntries(kept),
    body: bytes,
    readsBody: method === "POST",
  };
}
