import { exports } from "cloudflare:workers";
import type { Answer, Json } from "./response.ts";
import { contractViolation } from "./api-description.ts";

export type { Answer, Json } from "./response.ts";

const ORIGIN = "https://flags.test";

export interface CallOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request body: a string, a stream or a form is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
}

export function request(method: string, path: string, options: CallOptions = {}): Request {
  const { token, body } = options;
  const headers = new Headers(options.headers);
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  // A test looks at a redirect itself.
  const redirect = "manual";
  if (body === undefined) return new Request(`${ORIGIN}${path}`, { method, headers, redirect });
  if (!headers.has("Content-Type")) headers.set("Content-Type", "application/json");
  const raw =
    typeof body === "string" || body instanceof ReadableStream || body instanceof URLSearchParams;
  return new Request(`${ORIGIN}${path}`, {
    method,
    headers,
    redirect,
    body: raw ? body : JSON.stringify(body),
  });
}

/**
 * Sends a request to the Worker of the test runtime.
 * Throws: Error when the response does not match the API description.
 */
export async function call<T = Json>(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer<T>> {
  return read(method, path, await exports.default.fetch(request(method, path, options)));
}

/**
 * Reads the status, the headers and the body of a response: a JSON body is parsed, any other body
 * is text. An event stream does not end, so it is closed, and its body counts as empty.
 * Throws: Error when the response does not match the API description.
 */
export async function read<T = Json>(
  method: string,
  path: string,
  response: Response,
): Promise<Answer<T>> {
  const type = response.headers.get("Content-Type") ?? "";
  const isJson = type.includes("application/json");
  if (type === "text/event-stream") await response.body?.cancel();
  const text = type === "text/event-stream" ? "" : await response.text();
  const body: T = isJson && text !== "" ? JSON.parse(text) : text;
  const answer = { status: response.status, headers: response.headers, body };
  const wrong = contractViolation(method, path, answer);
  if (wrong !== undefined) throw new Error(`${method} ${path}: ${wrong}: ${answer.status} ${text}`);
  return answer;
}
