import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { contextEtag } from "@feature-flags/client-api/context-etag";
import { etagOf, PLAIN_FORM } from "@feature-flags/client-api/etag";
import { evaluationsBody } from "@feature-flags/client-api/evaluations";
import { outcomeOf, resultsBody } from "@feature-flags/client-api/ofrep";
import { parseWithDigits } from "@feature-flags/evaluation/json-numbers";
import { isObject } from "@feature-flags/file/json";
import type { DevEnvironment } from "./environment.ts";

/** The most bytes of a request body, as the service takes them. */
const MAX_BODY_BYTES = 1_048_576;

/** How often an event stream has a comment, milliseconds. */
const HEARTBEAT_MS = 25_000;

/** The id of the environment in the responses. */
const ENVIRONMENT_ID = 1;

/** The time after which a client connects again, milliseconds. */
const RETRY_MS = 1_000;

/** The headers of CORS: pages of any origin may call the client API, as they may call the service. */
const CROSS_ORIGIN = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, POST",
  "Access-Control-Allow-Headers": "*, Authorization",
  "Access-Control-Expose-Headers": "ETag, X-Revision, X-Delta, X-Next-Since",
};

/** An error response. */
class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errorCode: string;

  constructor(status: number, [code, errorCode]: readonly [string, string], message: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.errorCode = errorCode;
  }
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly environment: DevEnvironment;
  /** The flag key in the path. */
  readonly key: string;
}

type Handler = (call: Call) => void | Promise<void>;

/** The streams that bulk evaluations name, without the token that the service demands. */
const STREAMS = JSON.stringify([{ type: "sse", endpoint: { requestUri: "/api/ofrep/v1/stream" } }]);

const OFREP = "(?:/api)?/ofrep/v1";

const ROUTES: readonly (readonly [method: string, path: RegExp, handler: Handler])[] = [
  ["GET", /^\/api\/client\/features$/, sendRules],
  ["POST", /^\/api\/client\/evaluate$/, sendVerdicts],
  ["POST", /^\/api\/client\/metrics$/, acceptUsage],
  ["GET", /^\/api\/client\/stream$/, (call) => sendEvents(call, nativeEvent)],
  ["POST", new RegExp(`^${OFREP}/evaluate/flags/([^/]+)$`), sendResult],
  ["POST", new RegExp(`^${OFREP}/evaluate/flags$`), sendResults],
  ["GET", new RegExp(`^${OFREP}/stream$`), (call) => sendEvents(call, ofrepEvent)],
  ["GET", /^(?:\/api)?\/openfeature\/v0\/manifest$/, sendManifest],
];

/**
 * Makes a server for the client API and OFREP, with the bodies of the service. It accepts every API key,
 * so it must listen on 127.0.0.1 only.
 */
export const devServer = (environment: DevEnvironment): Server =>
  createServer((request, response) => void respond(environment, request, response));

async function respond(
  environment: DevEnvironment,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
  for (const [name, value] of Object.entries(CROSS_ORIGIN)) response.setHeader(name, value);
  if (request.method === "OPTIONS") {
    response.writeHead(204).end();
    return;
  }
  const found = ROUTES.find(([, path]) => path.test(pathname));
  const key = decodeURIComponent(found?.[1].exec(pathname)?.[1] ?? "");
  try {
    if (found === undefined) throw new RequestError(404, NOT_FOUND, "The path does not exist");
    if (found[0] !== request.method)
      throw new RequestError(405, ["METHOD_NOT_ALLOWED", "GENERAL"], `The path needs ${found[0]}`);
    await found[2]({ request, response, environment, key });
  } catch (error) {
    sendError(response, key, error);
  }
}

const NOT_FOUND = ["NOT_FOUND", "GENERAL"] as const;

function sendError(response: ServerResponse, key: string, error: unknown): void {
  const known = error instanceof RequestError ? error : undefined;
  const { status = 500, code = "INTERNAL_ERROR", errorCode = "GENERAL" } = known ?? {};
  const { message } = error as Error;
  const body = {
    ...(key !== "" && { key }),
    errorCode,
    errorDetails: message,
    error: message,
    code,
  };
  send(response, status, JSON.stringify(body));
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...(status !== 304 && { "Content-Type": "application/json" }),
    ...headers,
  });
  response.end(status === 304 ? undefined : body);
}

const freshness = ({ revision, changedAt }: DevEnvironment["current"]) => ({
  "Cache-Control": "private, no-cache",
  "X-Revision": String(revision),
  // As in the service: a delta has the changes at its time itself.
  "X-Next-Since": new Date(changedAt + 1).toISOString(),
});

const isHeld = (request: IncomingMessage, etag: string): boolean =>
  (request.headers["if-none-match"] ?? "")
    .split(",")
    .some((one) => one.trim().replace(/^W\//, "") === etag);

function sendRules({ request, response, environment }: Call): void {
  const { current } = environment;
  const { body, etag, digest } = current;
  const headers = { ...freshness(current), ETag: etag, "X-Rules-Digest": digest };
  const since = sinceOf(request);
  if (isHeld(request, etag)) return send(response, 304, "", headers);
  const held = request.headers["if-none-match"];
  const delta = since === undefined ? undefined : environment.delta(since, held, Date.now());
  const kind = delta === undefined ? "full" : "partial";
  return send(response, 200, delta ?? body, { ...headers, "X-Delta": kind });
}

/** Returns the parameter `since` as epoch milliseconds; undefined: the client wants no delta. */
function sinceOf({ url = "/" }: IncomingMessage): number | undefined {
  const since = new URL(url, "http://127.0.0.1").searchParams.get("since");
  if (since === null) return undefined;
  const time = Date.parse(since);
  if (!Number.isNaN(time)) return time;
  const message = "since: must be an ISO 8601 timestamp";
  throw new RequestError(400, ["BAD_REQUEST", "GENERAL"], message);
}

function sendManifest({ request, response, environment }: Call): void {
  const { current } = environment;
  const etag = etagOf({ revision: current.revision, form: PLAIN_FORM }, current.manifest);
  const headers = {
    "Cache-Control": "private, no-cache",
    ETag: etag,
    "X-Manifest-Capabilities": "read",
  };
  if (isHeld(request, etag)) send(response, 304, "", headers);
  else send(response, 200, current.manifest, headers);
}

async function sendVerdicts({ request, response, environment }: Call): Promise<void> {
  const { context, toggles } = await bodyOf(request);
  const { current } = environment;
  const keys = Array.isArray(toggles) ? toggles.map(String) : undefined;
  const body = evaluationsBody(current.rules, context, keys, current.revision);
  send(response, 200, body, freshness(current));
}

/** Accepts usage reports, so that SDKs log no errors, and counts nothing. */
async function acceptUsage({ request, response }: Call): Promise<void> {
  const text = await textOf(request);
  const { evaluations } = jsonOf(text);
  const accepted = isObject(evaluations) ? Object.keys(evaluations).length : 0;
  send(response, 202, JSON.stringify({ accepted, ignored: 0 }));
}

async function sendResult({ request, response, environment, key }: Call): Promise<void> {
  const { context } = await bodyOf(request);
  const { current } = environment;
  const outcome = outcomeOf(JSON.stringify(key), current.rules.get(key)?.rule, context);
  if ("json" in outcome) return send(response, 200, outcome.json, freshness(current));
  const { errorCode, message } = outcome.error;
  const isUnknown = errorCode === "FLAG_NOT_FOUND";
  const code = isUnknown ? "NOT_FOUND" : "BAD_REQUEST";
  throw new RequestError(isUnknown ? 404 : 400, [code, errorCode], message);
}

async function sendResults({ request, response, environment }: Call): Promise<void> {
  const { context } = await bodyOf(request);
  const { current } = environment;
  const etag = contextEtag(current.etag, context);
  const headers = { ...freshness(current), ETag: etag };
  if (isHeld(request, etag)) return send(response, 304, "", headers);
  const { revision } = current;
  const of = { revision, environmentId: ENVIRONMENT_ID };
  const body = resultsBody(current.rules, context, of, `,"eventStreams":${STREAMS}`);
  return send(response, 200, body, headers);
}

const nativeEvent = (revision: number): string =>
  `event: revision\nid: ${revision}\ndata: ${JSON.stringify({ revision })}\n\n`;

const ofrepEvent = (revision: number): string => {
  const data = JSON.stringify({ type: "refetchEvaluation", etag: `"${revision}"` });
  return `event: message\nid: ${revision}\ndata: ${data}\n\n`;
};

/** Sends the newest revision unless the client has it, and then each new one. */
function sendEvents({ request, response, environment }: Call, event: (revision: number) => string) {
  const { searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const has = Number(request.headers["last-event-id"] ?? searchParams.get("revision") ?? 0);
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
  });
  response.write(`retry: ${RETRY_MS}\n\n`);
  const { revision } = environment.current;
  if (has !== revision) response.write(event(revision));
  const stop = environment.follow((next) => response.write(event(next)));
  const timer = setInterval(() => response.write(": heartbeat\n\n"), HEARTBEAT_MS);
  response.on("close", () => {
    clearInterval(timer);
    stop();
  });
}

/** Reads the body of an evaluation. Throws: a RequestError. */
async function bodyOf(request: IncomingMessage) {
  const body = jsonOf(await textOf(request));
  const { context } = body;
  if (isObject(context)) return { context, toggles: body["toggles"] };
  const codes = ["VALIDATION_ERROR", "INVALID_CONTEXT"] as const;
  throw new RequestError(400, codes, "context: must be an object");
}

function jsonOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parseWithDigits(text);
    if (isObject(value)) return value;
  } catch {
    // The error below says what is expected.
  }
  throw new RequestError(400, ["BAD_REQUEST", "PARSE_ERROR"], "The body must be a JSON object");
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY_BYTES)
      throw new RequestError(400, ["BAD_REQUEST", "PARSE_ERROR"], "The body is larger than 1 MB");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
