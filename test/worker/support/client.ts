import { exports } from "cloudflare:workers";

const ORIGIN = "https://flags.test";

export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

interface Call {
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** One request through the front door; a string body goes as it is, anything else as JSON. */
export async function call<T = any>(method: string, path: string, options: Call = {}) {
  const { token, body } = options;
  const headers = new Headers(options.headers);
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined && !headers.has("Content-Type"))
    headers.set("Content-Type", "application/json");
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const init = { method, headers, ...(body !== undefined && { body: text }) };
  const response = await exports.default.fetch(new Request(`${ORIGIN}${path}`, init));
  return read<T>(response);
}

async function read<T>(response: Response): Promise<Answer<T>> {
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.includes("application/json") ?? false;
  const body = (isJson && text !== "" ? JSON.parse(text) : text) as T;
  return { status: response.status, headers: response.headers, body };
}
