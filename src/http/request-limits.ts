import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { ApiError } from "../core/errors/api-error.ts";
import { isDeeperThan } from "../core/lib/json-depth.ts";

/** The most bytes of a request body: 1 MiB, part of the API (docs/decisions.md, 1.3). */
const MAX_BODY_BYTES = 1_048_576;

/**
 * The greatest depth of a JSON body. It limits the recursion of parsers and schemas. The deepest
 * valid request has 5 levels.
 */
const MAX_DEPTH = 32;

/**
 * The most characters of all header names and values. A token has 300, and a browser adds 2,000.
 */
const MAX_HEADERS_LENGTH = 16_384;

/**
 * The longest query. The longest valid one, with every filter of the audit trail, has 500
 * characters.
 */
const MAX_URL_LENGTH = 8_192;

const tooLarge = (words: string) => new ApiError("BAD_REQUEST", words);

/** Checks the length of the URL. Throws: 400. */
export function assertUrl(url: string): void {
  if (url.length > MAX_URL_LENGTH)
    throw tooLarge(`The URL is longer than ${MAX_URL_LENGTH} characters`);
}

/** Checks how deep the JSON is nested. Throws: 400. */
export function assertDepth(json: string): void {
  if (isDeeperThan(MAX_DEPTH, json))
    throw tooLarge(`The JSON is nested deeper than ${MAX_DEPTH} levels`);
}

function assertHeaders(headers: Headers): void {
  let length = 0;
  for (const [name, value] of headers) length += name.length + value.length;
  if (length > MAX_HEADERS_LENGTH)
    throw tooLarge(`The headers are longer than ${MAX_HEADERS_LENGTH} characters`);
}

export const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw tooLarge(`The body is larger than ${MAX_BODY_BYTES} bytes`);
  },
});

/**
 * Returns the text of the body, which Hono caches. An unreadable body becomes "", which is not
 * valid JSON.
 */
export const bodyText = (c: Context): Promise<string> => c.req.text().catch(() => "");

/** Middleware that checks the URL and the headers first, and the body before it is parsed. */
export const limitRequest = [
  createMiddleware(async (c, next) => {
    assertUrl(c.req.raw.url);
    assertHeaders(c.req.raw.headers);
    await next();
  }),
  limitBody,
  createMiddleware(async (c, next) => {
    if (c.req.raw.body !== null) assertDepth(await bodyText(c));
    await next();
  }),
] as const;
