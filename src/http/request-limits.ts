import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { ApiError } from "../core/errors/api-error.ts";
import { isDeeperThan } from "../core/lib/json-depth.ts";

/**
 * The maximum size of a request body, bytes: 1 MiB. The limit is part of the API
 * (docs/decisions.md, 1.3).
 */
const MAX_BODY_BYTES = 1_048_576;

/**
 * The maximum nesting depth of objects and arrays in a JSON body, levels. It limits the recursion
 * of parsers and schemas.
 */
const MAX_DEPTH = 32;

/**
 * The maximum length of all header names and values together, characters. A token takes about 300
 * characters, and the other headers of a browser take about 2,000.
 */
const MAX_HEADERS_LENGTH = 16_384;

/**
 * The maximum length of a URL, characters. A URL with every filter of a list, percent-encoded, is
 * shorter.
 */
const MAX_URL_LENGTH = 8_192;

const tooLarge = (words: string, status: 400 | 413 = 400) =>
  new ApiError("BAD_REQUEST", words, { status });

/** Checks the length of the URL. Throws: 400. */
export function assertUrl(url: string): void {
  if (url.length > MAX_URL_LENGTH)
    throw tooLarge(`The URL is longer than ${MAX_URL_LENGTH} characters`);
}

/** The limits of a request body. */
export interface BodyLimits {
  /** The maximum size, bytes. */
  readonly bytes: number;
  /** The maximum nesting depth of objects and arrays, levels. */
  readonly depth: number;
  /** The status for a larger body. Default: 400. */
  readonly status?: 400 | 413 | undefined;
}

const BODY_LIMITS: BodyLimits = { bytes: MAX_BODY_BYTES, depth: MAX_DEPTH };

/**
 * The limits of a request with a file: 8 MiB, and three more levels than the request of a flag, so that
 * values of flags can be as deep.
 */
export const FILE_LIMITS: BodyLimits = { bytes: 8 * MAX_BODY_BYTES, depth: MAX_DEPTH + 3 };

/** Checks how deep a JSON text is nested. Throws: 400. */
export function assertDepth(json: string, depth = MAX_DEPTH): void {
  if (isDeeperThan(depth, json)) throw tooLarge(`The JSON is nested deeper than ${depth} levels`);
}

/** Checks the length of all headers together. Throws: 400. */
function assertHeaders(headers: Headers): void {
  let length = 0;
  for (const [name, value] of headers) length += name.length + value.length;
  if (length > MAX_HEADERS_LENGTH)
    throw tooLarge(`The headers are longer than ${MAX_HEADERS_LENGTH} characters`);
}

/**
 * Middleware that checks the size of the body. Throws: 400. A body of a known length is not touched,
 * because making its stream costs as much as reading a small body.
 */
function limitBodyTo({ bytes, status }: Pick<BodyLimits, "bytes" | "status">): MiddlewareHandler {
  const refuse = () => {
    throw tooLarge(`The body is larger than ${bytes} bytes`, status);
  };
  const limitUnknown = bodyLimit({ maxSize: bytes, onError: refuse });
  return (c, next) => {
    const length = lengthIn(c.req.raw.headers);
    if (length === undefined) return limitUnknown(c, next);
    return length > bytes ? refuse() : next();
  };
}

/** Returns the length of the body, bytes; undefined if only its end shows it. */
function lengthIn(headers: Headers): number | undefined {
  const length = headers.get("Content-Length");
  return length === null || headers.has("Transfer-Encoding") ? undefined : Number(length);
}

const limitBody = limitBodyTo({ bytes: MAX_BODY_BYTES });

/**
 * Reads the body of a request that nothing has read before. If it cannot be read, returns "", which is
 * not valid JSON. Throws: 400 for a body that is too large.
 */
export async function limitedText(c: Context): Promise<string> {
  const { raw } = c.req;
  const length = lengthIn(raw.headers);
  if (length === undefined || length > MAX_BODY_BYTES) {
    await limitBody(c, async () => {});
    return bodyText(c);
  }
  try {
    // Not by Hono, which keeps each body for another reader.
    return await raw.text();
  } catch {
    return "";
  }
}

/**
 * Returns the text of the request body, which Hono caches. If the body cannot be read, returns "",
 * which is not valid JSON.
 */
export const bodyText = (c: Context): Promise<string> => c.req.text().catch(() => "");

/**
 * Returns three middlewares that run before the body is parsed. They check the URL and the headers,
 * then the size of the body, then how deep its JSON is nested.
 */
export const limitRequestTo = ({ bytes, depth, status }: BodyLimits = BODY_LIMITS) => [
  createMiddleware(async (c, next) => {
    assertUrl(c.req.raw.url);
    assertHeaders(c.req.raw.headers);
    await next();
  }),
  limitBodyTo({ bytes, status }),
  createMiddleware(async (c, next) => {
    if (c.req.raw.body !== null) assertDepth(await bodyText(c), depth);
    await next();
  }),
];

/** The middlewares for a request with the usual limits. */
export const limitRequest = limitRequestTo();
