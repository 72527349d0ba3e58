import { inexactNumber } from "@feature-flags/evaluation/json-numbers";
import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { ApiError } from "../core/errors/api-error.ts";
import { isDeeperThan } from "../core/lib/json-depth.ts";
import { FORM_TYPE, hasFormType, withKnownType } from "./content-type.ts";

/**
 * The maximum size of a request body, bytes: 1 MiB. The limit is part of the API
 * (docs/build/decisions.md, 1.3).
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
 * The maximum length of a URL, characters. A URL with every filter of a list, percent-encoded, is shorter.
 */
const MAX_URL_LENGTH = 8_192;

const tooLarge = (words: string, status: 400 | 413 = 400) =>
  new ApiError("BAD_REQUEST", words, { status });

/** Checks the length of the URL. Throws: 400. */
export function assertUrl(url: string): void {
  if (url.length > MAX_URL_LENGTH)
    throw tooLarge(`The URL is longer than ${MAX_URL_LENGTH} characters`);
}

/** The most characters of a number that an error repeats. */
const MAX_SHOWN = 40;

export interface BodyLimits {
  /** The maximum size, bytes. */
  readonly bytes: number;
  /** The maximum nesting depth of objects and arrays, levels. */
  readonly depth: number;
  /** The status for a larger body. Default: 400. */
  readonly status?: 400 | 413 | undefined;
  /** Whether the body is a form. Default: false. */
  readonly isForm?: boolean;
}

const BODY_LIMITS: BodyLimits = { bytes: MAX_BODY_BYTES, depth: MAX_DEPTH };

/**
 * The limits of a request with a file: 8 MiB, and three more levels than the request of a flag, so that
 * values of flags can be as deep.
 */
export const FILE_LIMITS: BodyLimits = { bytes: 8 * MAX_BODY_BYTES, depth: MAX_DEPTH + 3 };

/**
 * The limits of a request without a login, because anybody can send it. The longest one has a query of
 * 6,000 characters.
 */
export const OPEN_LIMITS = { bytes: 16_384, depth: MAX_DEPTH };

/** The limits of a form that a client sends without a login. */
export const FORM_LIMITS = { ...OPEN_LIMITS, isForm: true };

/** Checks how deep a JSON text is nested. Throws: 400. */
export function assertDepth(json: string, depth = MAX_DEPTH): void {
  if (isDeeperThan(depth, json)) throw tooLarge(`The JSON is nested deeper than ${depth} levels`);
}

/**
 * Checks that a double holds each number of a JSON text: `JSON.parse` would round the others in silence.
 * Throws: 400.
 */
function assertExact(json: string): void {
  const number = inexactNumber(json);
  if (number === undefined) return;
  const shown = number.length > MAX_SHOWN ? `${number.slice(0, MAX_SHOWN)}…` : number;
  throw new ApiError(
    "BAD_REQUEST",
    `The number ${shown} would be rounded; send it as a string, or with fewer digits`,
  );
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
  return async (c, next) => {
    const { raw } = c.req;
    const length = lengthIn(raw.headers) ?? 0;
    if (length > bytes) return refuse();
    if (length === 0 && raw.body !== null) {
      const body = await readAtMost(bytes, raw.body);
      if (body === undefined) return refuse();
      const { method, headers, signal } = raw;
      // A request with GET cannot be made with a body, and nothing reads it.
      if (method !== "GET" && method !== "HEAD")
        c.req.raw = new Request(raw.url, { method, headers, signal, body });
    }
    return next();
  };
}

/**
 * Reads a body of unknown length. Undefined: it is larger than `max` bytes. Unlike Hono's `bodyLimit`,
 * gives the lock back, so that `afterBody` can read the rest.
 */
async function readAtMost(max: number, body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    parts.push(value);
    if (size > max) {
      reader.releaseLock();
      return undefined;
    }
  }
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
 * then the size of the body, then how deep its JSON is nested and that it has no number that would be
 * rounded, or that it is a form.
 */
export const limitRequestTo = ({ bytes, depth, status, isForm }: BodyLimits = BODY_LIMITS) => [
  createMiddleware(async (c, next) => {
    assertUrl(c.req.raw.url);
    assertHeaders(c.req.raw.headers);
    await next();
  }),
  limitBodyTo({ bytes, status }),
  createMiddleware(async (c, next) => {
    const text = c.req.raw.body === null ? "" : await bodyText(c);
    const type = c.req.header("Content-Type");
    if (isForm && !hasFormType(type))
      throw new ApiError("BAD_REQUEST", `The header Content-Type must be ${FORM_TYPE}`);
    if (!isForm) assertDepth(text, depth);
    if (!isForm && /json/i.test(type ?? "")) assertExact(text);
    c.req.raw = withKnownType(c.req.raw);
    await next();
  }),
];
