import { UNLEASH, VARIANT_SEED } from "../../core/usage/unleash-features.ts";
import type { ClientCall } from "../edge/surface.ts";
import { type Instance, isName, named } from "../usage/instance.ts";

/**
 * What an instance of an Unleash SDK can evaluate: ordered rules, because the service makes them
 * strategies, and the documents of Unleash.
 */
const FEATURES = ["rules", UNLEASH];

/** The first major version of the client specification in which variants have a seed of their own. */
const SEEDED_MAJOR = 5;

/** Returns what an instance can evaluate, by the client specification that it names. */
const featuresOf = (headers: Headers): readonly string[] =>
  (specificationOf(headers)?.major ?? 0) >= SEEDED_MAJOR ? [...FEATURES, VARIANT_SEED] : FEATURES;

/** Matches the start of a version. */
const VERSION = /^(\d{1,9})\.(\d{1,9})\./;

/** Returns the version of the client specification that an SDK names; undefined if it names none. */
export function specificationOf(headers: Headers) {
  const [, major, minor] = VERSION.exec(headers.get("Unleash-Client-Spec") ?? "") ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}

/** The fields by which an Unleash SDK describes itself in a body. Each may be missing or invalid. */
type SelfDescription = Readonly<Partial<Record<"appName" | "instanceId" | "sdkVersion", unknown>>>;

type Call = Pick<ClientCall, "c" | "served">;

/**
 * Returns the calling instance of an Unleash SDK. The headers come first, because only they are in
 * every request of an instance. Undefined when neither has an instance id, and for a FRONTEND key: see
 * `callingInstance`.
 */
export function unleashInstance(
  { c, served: { key } }: Call,
  body: SelfDescription = {},
): Instance | undefined {
  if (key.keyType !== "SERVER") return undefined;
  const { headers } = c.req.raw;
  const instanceId =
    named(headers, "UNLEASH-INSTANCEID") ??
    named(headers, "unleash-connection-id") ??
    nameIn(body.instanceId);
  if (instanceId === undefined) return undefined;
  return {
    environmentId: key.environmentId,
    appName: unleashApplication(headers, body) ?? "",
    instanceId,
    sdkVersion: named(headers, "unleash-sdk") ?? nameIn(body.sdkVersion) ?? null,
    sdkFeatures: featuresOf(headers),
  };
}

/** Returns the application name of the calling Unleash SDK, from the headers or else from the body. */
export const unleashApplication = (headers: Headers, body: SelfDescription): string | undefined =>
  named(headers, "unleash-appname") ?? nameIn(body.appName);

const nameIn = (value: unknown): string | undefined => (isName(value) ? value : undefined);

/** Marks the calling instance as seen now, with the revision of the response: see `Edge.markInstance`. */
export function markUnleashInstance(
  call: ClientCall,
  fetchesRules: boolean,
  body?: SelfDescription,
): void {
  const { served, edge, ports } = call;
  const instance = unleashInstance(call, body);
  if (!instance) return;
  const { key, set } = served;
  const revision = fetchesRules ? set.snapshot.revision : null;
  edge.lastSeen.instance(ports, instance, { key, revision, fetchesRules });
}
