import * as fc from "fast-check";
import { unique } from "../support/world.ts";
import { brokenBodies, fields, headers, strings, values } from "./fuzz-values.ts";
import { CALLERS } from "./callers.ts";
import type { Known } from "./known.ts";
import { filled, type Route } from "./route.ts";
import { ROUTES } from "./routes.ts";

/** A generated request, valid or not. */
export interface Fuzz {
  readonly method: string;
  readonly path: string;
  readonly caller: (typeof CALLERS)[number] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Generates path parameters: the ids of known resources, and malformed ids. */
function ids(real: readonly (number | string)[]) {
  const odd = ["0", "-1", "1.5", "1e3", "0x10", "9007199254740993", "9".repeat(40), "NaN", "null"];
  const texts = ["🚩", "__proto__", "a/b", "..", "%", "'"].map(encodeURIComponent);
  const raw = ["%00", "%ff", "%ED%A0%80", "%2e%2e", "%", "+", "1%0d%0a"];
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...real.map(String)) },
    { weight: 2, arbitrary: fc.constantFrom(...odd, ...texts, ...raw) },
  );
}

/**
 * Returns the ids for the path of a request. A DELETE gets only resources that no other request
 * needs. A user route never gets the id of a caller, because the caller's token must stay valid.
 */
function targets(known: Known, method: string, path = ""): readonly (number | string)[] {
  const aimed = ROUTES.find((route) => route.method === method && route.path === path);
  if (method === "DELETE") return aimed?.ids?.(known) ?? [999_999];
  if (path.startsWith("/api/v1/users/")) return aimed?.ids?.(known) ?? [known.userId];
  const { projectId, environmentId, flagId, segmentId, keyId, tagId, contextId, valueId } = known;
  const some = [projectId, environmentId, flagId, segmentId, keyId, tagId, contextId, valueId];
  return some.concat(known.integrationId, known.deliveryId, 1, 2, 3);
}

const NAMES =
  `page size projectId environmentId search tag flagType includeArchived archived stale segmentId
  state sort since x dateFrom dateTo entityType entityId actorKind actorId action category beforeId
  from to interval instanceId appName`.split(/\s+/);
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(...NAMES),
      fc.oneof(
        fc.constantFrom(
          "0",
          "1",
          "20",
          "true",
          "-1",
          "1e9",
          "9".repeat(30),
          "%00",
          "%ff",
          "%",
          "🚩",
        ),
        fc.constantFrom("on", "off", "name", "-lastUsedAt"),
        fc.constantFrom("RELEASE", "2026-01-01T00:00:00Z", "275761-01-01T00:00:00Z", "a&b", "a=b"),
        strings.filter((text) => text.isWellFormed()).map(encodeURIComponent),
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join("&"))
  .map((text) => (text === "" ? "" : `?${text}`));

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const hasNoBody = (method: string) => method === "GET" || method === "HEAD";

/** Generates at most two fields, mostly with invalid values, to merge into a valid body. */
const fewFields = fc
  .tuple(fields, fc.nat(), fc.integer({ min: 0, max: 2 }))
  .map(([all, start, count]) => {
    const entries = Object.entries(all);
    const from = start % Math.max(1, entries.length);
    return Object.fromEntries(entries.slice(from, from + count));
  });

/** Generates valid and invalid requests, most of them for the known resources. */
export function requests(known: Known): fc.Arbitrary<Fuzz> {
  const whole = (route: Route | undefined) =>
    fc.constant(null).map(() => route?.body?.({ ...known, unique: unique("fuzz") }) ?? {});
  return fc
    .tuple(
      fc.option(fc.constantFrom(...ROUTES), { freq: 12, nil: undefined }),
      fc.oneof(
        { weight: 4, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
    )
    .chain(([route, otherMethod]) => {
      const method = otherMethod ?? route?.method ?? "GET";
      const target = ids(targets(known, method, route?.path));
      const segments = fc.tuple(target, target);
      const body = fc.oneof(
        { weight: 6, arbitrary: fc.tuple(whole(route), fewFields).map(merged) },
        { weight: 2, arbitrary: fields.map((content) => JSON.stringify(content)) },
        { weight: 2, arbitrary: brokenBodies },
        { weight: 1, arbitrary: values.map((value) => JSON.stringify(value)) },
      );
      return fc.record({
        method: fc.constant(method),
        path: fc
          .tuple(segments, query)
          .map(([texts, text]) => filled(route?.path ?? "/api/v1/{a}/{b}", texts) + text),
        caller: fc.oneof(
          { weight: 6, arbitrary: fc.constant(usual(route)) },
          { weight: 2, arbitrary: fc.constantFrom(...CALLERS, undefined) },
        ),
        headers,
        body: hasNoBody(method) ? fc.constant(undefined) : body,
      });
    });
}

const merged = ([whole, some]: [object, object]) =>
  JSON.stringify(Array.isArray(whole) ? [...whole, some] : { ...whole, ...some });

const usual = (route: Route | undefined) =>
  route?.path.startsWith("/api/client/") === true ? "SERVER" : "ADMIN";
