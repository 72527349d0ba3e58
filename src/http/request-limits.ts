import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { ApiError } from "../core/errors/api-error.ts";
import { isDeeperThan } from "../core/lib/json-depth.ts";

/** 1 MB: docs/decisions.md, 1.3. */
const MAX_BODY_BYTES = 1_048_576;

/** The deepest request of the API has five levels; what a parser or a schema recurses into is bounded. */
const MAX_DEPTH = 32;

/** Names and values together. A token has 0.3 KB, what a browser adds 2 KB. */
const MAX_HEADERS_LENGTH = 16_384;

/** The longest query of the API, with every filter of the audit trail, has half a kilobyte. */
const MAX_URL_LENGTH = 8_192;

const tooLarge = (words: string) => new ApiError("BAD_REQUEST", words);

/** Errors: 400. */
export function assertUrl(url: string): void {
  if (url.length > MAX_URL_LENGTH)
    throw tooLarge(`The URL is longer than ${MAX_URL_LENGTH} characters`);
}

/** Errors: 400 for JSON that is nested too deep. */
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

/** The text of the body; what cannot be read is no JSON. It is kept: reading it again costs nothing. */
export const bodyText = (c: Context): Promise<string> => c.req.text().catch(() => "");

/** The URL and the headers, before anything is read, and the body, before it is parsed. */
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
