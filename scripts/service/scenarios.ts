import { context, type FixtureFlag } from "./fixtures.ts";
import { CHANGED_AT, keyOf } from "./seed.ts";

type Sent = Pick<Scenario, "headers" | "body">;

/** One request that SDKs send repeatedly. */
export interface Scenario {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** If set, the requests take these headers and bodies in turn. */
  readonly inTurn?: readonly Sent[];
  readonly status: number;
  /** Whether the request causes work of the service after the response. */
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

function evaluation(toggles: readonly string[], environment = 1): Scenario {
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
    unchanged(full, etag),
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
    unchanged(all, etag),
    { ...all, name: "OFREP one", path: `${all.path}/${flags[0]?.key}` },
  ];
}

/** Returns the document of the rules, as Unleash SDKs for servers request it. */
export const unleashFeatures = (): Scenario => ({
  ...features(),
  name: "Unleash features 200",
  path: "/api/unleash/client/features",
  headers: { Authorization: keyOf(1), "Unleash-Client-Spec": "5.2.0" },
});

/** Returns the evaluation of all flags, as Unleash SDKs for front ends request it. */
export function unleashFrontend(): Scenario {
  const query = Object.entries(context).map(([name, value]) => [name, String(value)]);
  return {
    ...features(),
    name: "Unleash frontend 200",
    path: `/api/unleash/frontend?${new URLSearchParams(query)}`,
    headers: { Authorization: keyOf(1) },
  };
}

/** Returns the request that gets 304. `etag`: the ETag of the response with 200. */
export const unchanged = (scenario: Scenario, etag: string): Scenario => ({
  ...scenario,
  name: scenario.name.replace("200", "304"),
  headers: { ...scenario.headers, "If-None-Match": etag },
  status: 304,
});

/** The number of flags in a usage report, and of SDK instances that send reports and polls. */
const REPORTED = 20;
const INSTANCES = 50;

const perInstance = (sentBy: (instanceId: string) => Sent): Sent[] =>
  Array.from({ length: INSTANCES }, (_, index) => sentBy(`bench-${index}`));

/** How often a usage report counts each of its flags as true and as false. */
const REPORTED_COUNTS = { t: 2, f: 1 };

/** Returns the usage report of 20 flags, from 50 SDK instances in turn. */
export function usageReport(flags: readonly FixtureFlag[]): Scenario {
  const { headers } = evaluation([]);
  const counts = reportedFlags(flags).map((index) => [flags[index]?.key, REPORTED_COUNTS] as const);
  const inTurn = perInstance((instanceId) => ({
    headers,
    body: reportOf(instanceId, Object.fromEntries(counts)),
  }));
  return {
    name: `report of ${REPORTED} flags`,
    method: "POST",
    path: "/api/client/metrics",
    headers,
    body: inTurn[0]?.body ?? "",
    inTurn,
    status: 202,
    worksLater: true,
  };
}

/** Returns the body of a usage report. */
export const reportOf = (
  instanceId: string,
  evaluations: Readonly<Record<string, object>>,
): string =>
  JSON.stringify({ evaluations, appName: "bench", instanceId, sdkVersion: "bench:1.0.0" });

/** Returns the keys of the flags to evaluate. */
const spreadKeys = (flags: readonly FixtureFlag[]): string[] =>
  spread(flags, EVALUATED).map((index) => flags[index]?.key ?? "");

/** Returns the indices of the flags in a usage report. */
const reportedFlags = (flags: readonly FixtureFlag[]): number[] => spread(flags, REPORTED);

/** Returns the indices of `count` flags, spread over the list of flags. */
function spread(flags: readonly FixtureFlag[], count: number): number[] {
  const step = Math.floor(flags.length / count);
  return Array.from({ length: count }, (_, index) => index * step);
}

/** A request, whatever its answer is. */
export type Asked = Pick<Scenario, "method" | "path" | "headers" | "body">;

/** Sends a request once. */
export async function send(
  port: number,
  { method, path, headers, body }: Asked,
): Promise<Omit<Answer, "readsBody">> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    body: method === "POST" ? body : null,
  });
  const kept = [...answer.headers].filter(([name]) => name !== "content-length");
  return {
    status: answer.status,
    headers: Object.fromEntries(kept),
    body: new Uint8Array(await answer.arrayBuffer()),
  };
}

/** Sends the request once. Throws: an Error when the response does not have the expected status. */
export async function ask(port: number, scenario: Scenario): Promise<Answer> {
  const answer = await send(port, scenario);
  if (answer.status !== scenario.status)
    throw new Error(`${scenario.name}: ${answer.status} ${new TextDecoder().decode(answer.body)}`);
  return { ...answer, readsBody: scenario.method === "POST" };
}
