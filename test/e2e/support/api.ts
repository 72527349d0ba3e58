import type { components } from "../../../dashboard/src/shared/api/schema.d.ts";

export type Schemas = components["schemas"];

/** Of the service that `service.ts` has started. */
export const baseUrl = (): string => process.env["E2E_URL"] ?? "";

/** The management API in the name of one person, for what a test needs and does not show. */
export class Api {
  readonly session: Schemas["Session"];

  private constructor(session: Schemas["Session"]) {
    this.session = session;
  }

  static async signIn({ email, password }: Schemas["Login"]): Promise<Api> {
    const body = { email, password };
    return new Api(await exchange<Schemas["Session"]>("POST", "/api/v1/auth/login", { body }));
  }

  get<T>(path: string): Promise<T> {
    return exchange("GET", path, { token: this.session.token });
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return exchange("POST", path, { body, token: this.session.token });
  }

  put<T>(path: string, body: unknown): Promise<T> {
    return exchange("PUT", path, { body, token: this.session.token });
  }

  delete(path: string): Promise<void> {
    return exchange("DELETE", path, { token: this.session.token });
  }
}

interface Options {
  readonly body?: unknown;
  readonly token?: string;
}

/** How `wrangler dev` answers, on a busy machine, for a Worker that it has not reached. */
const NOT_REACHED = "Network connection lost";
const ATTEMPTS = 3;

/** Errors: an answer of the service that is none of the good ones. */
export async function exchange<T>(method: string, path: string, options: Options = {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const { ok, status, text } = await attemptOf(method, path, options);
    if (ok) return (text === "" ? undefined : JSON.parse(text)) as T;
    if (attempt === ATTEMPTS || !text.includes(NOT_REACHED))
      throw new Error(`${method} ${path}: ${status} ${text}`);
  }
}

async function attemptOf(method: string, path: string, { body, token }: Options) {
  const response = await fetch(`${baseUrl()}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { ok: response.ok, status: response.status, text: await response.text() };
}
