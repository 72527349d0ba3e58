import type { components } from "../../../dashboard/src/shared/api/schema.d.ts";

export type Schemas = components["schemas"];

/** The URL of the service under test, which `service.ts` started or E2E_URL names. */
export const baseUrl = (): string => process.env["E2E_URL"] ?? "";

/** A client of the management API for one user. Tests create data with it, without the browser. */
export class Api {
  readonly session: Schemas["Session"];

  private constructor(session: Schemas["Session"]) {
    this.session = session;
  }

  static async signIn({ email, password }: Schemas["Login"]): Promise<Api> {
    const body = { email, password };
    return new Api(await request<Schemas["Session"]>("POST", "/api/v1/auth/login", { body }));
  }

  get<T>(path: string): Promise<T> {
    return request("GET", path, { token: this.session.token });
  }

  post<T>(path: string, body: unknown = {}, ifMatch?: string): Promise<T> {
    return request("POST", path, { body, token: this.session.token, ifMatch });
  }

  /** Changes something, optionally with the reason that the audit record shows. */
  put<T>(path: string, body: unknown, reason?: string): Promise<T> {
    return request("PUT", path, { body, token: this.session.token, reason });
  }

  delete(path: string): Promise<void> {
    return request("DELETE", path, { token: this.session.token });
  }
}

interface Options {
  readonly body?: unknown;
  readonly token?: string;
  readonly reason?: string | undefined;
  readonly ifMatch?: string | undefined;
}

/** The error text of `wrangler dev` when it cannot reach the Worker because the machine is busy. */
const CONNECTION_LOST = "Network connection lost";
const ATTEMPTS = 3;

/**
 * Sends a request and returns its parsed body. Retries when `wrangler dev` lost the connection.
 * Throws: Error for a response that is not successful.
 */
export async function request<T>(method: string, path: string, options: Options = {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const { ok, status, text } = await sendOnce(method, path, options);
    if (ok) return (text === "" ? undefined : JSON.parse(text)) as T;
    if (attempt === ATTEMPTS || !text.includes(CONNECTION_LOST))
      throw new Error(`${method} ${path}: ${status} ${text}`);
  }
}

async function sendOnce(method: string, path: string, { body, token, reason, ifMatch }: Options) {
  const response = await fetch(`${baseUrl()}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(reason !== undefined && { "X-Change-Reason": reason }),
      ...(ifMatch !== undefined && { "If-Match": `"${ifMatch}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { ok: response.ok, status: response.status, text: await response.text() };
}
