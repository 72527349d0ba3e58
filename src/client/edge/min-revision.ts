import type { Context } from "hono";
import { ApiError } from "../../core/errors/api-error.ts";
import { assertUrl } from "../../http/request-limits.ts";
import { parseRevision } from "../../http/revision.ts";

/**
 * Reads the minimum revision that a request demands: the response must have rules of this revision
 * or newer, or a warning that they may be older. `environmentId`: the environment of the API key.
 * Returns undefined when the request demands nothing. Throws: 400.
 */
export type ReadMinRevision = (c: Context, environmentId: number) => number | undefined;

/** Matches one item of an `X-Revision` header after a write to several environments. */
const ITEM = /^(\d{1,15});environment=(\d{1,15})$/;

/**
 * The forms of `flagConfigEtag` that are accepted: the ETag of a stream event, which is only the
 * revision, and the ETags of this service, which begin with it. Clients may drop the quotes.
 */
const ETAG = /^(?:W\/)?"?(\d{1,15})(?:-[0-9a-f-]{1,64})?"?$/;

/**
 * Reads the header `X-Min-Revision`. It has the forms of `X-Revision`, so that a client can send
 * back what a write returned: a revision, or a list with one for each environment.
 */
export const minRevision: ReadMinRevision = ({ req }, environmentId) => {
  const header = req.raw.headers.get("X-Min-Revision");
  if (header === null) return undefined;
  const demanded = parseRevision(header);
  if (demanded !== undefined) return demanded;
  const items = header.split(",").map((item) => ITEM.exec(item.trim()));
  if (!items.every((item) => item !== null))
    throw new ApiError("BAD_REQUEST", "X-Min-Revision must be a revision, as in X-Revision");
  const own = items.find(([, , environment]) => Number(environment) === environmentId);
  return own && Number(own[1]);
};

/**
 * Reads the header `X-Min-Revision` and the query parameter `flagConfigEtag`, which OFREP clients
 * send after an event of the stream. Returns the higher revision.
 */
export const ofrepMinRevision: ReadMinRevision = (c, environmentId) => {
  const demanded = minRevision(c, environmentId);
  const etag = queryEtag(c);
  if (etag === undefined) return demanded;
  const [, revision] = ETAG.exec(etag) ?? [];
  if (revision === undefined)
    throw new ApiError("BAD_REQUEST", "flagConfigEtag must be the etag of an event of the stream");
  return Math.max(demanded ?? 0, Number(revision));
};

function queryEtag(c: Context): string | undefined {
  const { url } = c.req.raw;
  if (!url.includes("?")) return undefined;
  assertUrl(url);
  return c.req.query("flagConfigEtag");
}
