import { type InstanceMark, MAX_NAME } from "../../core/usage/message-types.ts";
import type { KeyRow } from "../sources/queries.ts";

/** An SDK instance: how an SDK describes itself in a request. */
export type Instance = Omit<InstanceMark, "at" | "revision" | "rulesFetchedAt">;

/** The form of a feature in `X-Sdk-Features`. A feature of another form is ignored. */
const FEATURE = /^[A-Za-z0-9._-]{1,50}$/;

/** The fields by which an SDK describes itself. Each may be missing. */
type SelfDescription = Partial<
  Readonly<Record<"appName" | "instanceId" | "sdkVersion", string | undefined>>
>;

/**
 * Returns the calling SDK instance. A field that the body lacks is read from the headers. Undefined
 * when neither has an instance id. Also undefined for a FRONTEND key: the key is public, so callers
 * could invent instances.
 */
export function callingInstance(
  headers: Headers,
  { keyType, environmentId }: KeyRow,
  body?: SelfDescription,
): Instance | undefined {
  if (keyType !== "SERVER") return undefined;
  const instanceId = body?.instanceId ?? named(headers, "X-Instance-Id");
  if (instanceId === undefined) return undefined;
  return {
    environmentId,
    appName: applicationName(headers, body) ?? "",
    instanceId,
    sdkVersion: body?.sdkVersion ?? named(headers, "X-Sdk-Version") ?? null,
    sdkFeatures: featuresIn(headers),
  };
}

/** Returns the application name of the calling SDK, from the body or else from the headers. */
export const applicationName = (headers: Headers, body?: SelfDescription): string | undefined =>
  body?.appName ?? named(headers, "X-App-Name");

/**
 * Returns the value of a header; undefined when it is missing, empty, longer than `MAX_NAME` or not
 * well-formed Unicode, because such a header must not make a poll fail.
 */
export function named(headers: Headers, name: string): string | undefined {
  const text = headers.get(name);
  return isName(text) ? text : undefined;
}

/** Whether a text from a request can be a name. */
export const isName = (text: unknown): text is string =>
  typeof text === "string" && text !== "" && text.length <= MAX_NAME && text.isWellFormed();

/** Returns the features in the header `X-Sdk-Features`; undefined when there is no valid header. */
function featuresIn(headers: Headers): readonly string[] | undefined {
  const list = named(headers, "X-Sdk-Features")?.split(",");
  return list && [...new Set(list.map((one) => one.trim()).filter((one) => FEATURE.test(one)))];
}
