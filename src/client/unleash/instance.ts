import type { ClientCall } from "../surface.ts";
import { type Instance, isName, named } from "../usage/instance.ts";

/**
 * What an instance of an Unleash SDK can evaluate: ordered rules, because the service makes them
 * strategies, and the documents of Unleash.
 */
const FEATURES = ["rules", "unleash"];

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
    sdkFeatures: FEATURES,
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
