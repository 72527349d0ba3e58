/**
 * The timeout of one request, milliseconds. The first request after a start compiles the Worker.
 */
const TIMEOUT_MS = 60_000;

export interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly body: unknown;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface Call {
  readonly method?: Method;
  readonly body?: unknown;
  /** An access token or an API key; undefined: the request has neither. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request to the service and returns the response. Does not throw on an error status. */
export async function send(
  url: string,
  { method = "GET", body, token, headers: own }: Call,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      ...own,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
  const { status, headers } = response;
  return { status, etag: headers.get("ETag"), body: isJson ? JSON.parse(text) : text };
}

/** The body of the response to a login with the right password. */
type LoginBody =
  | { readonly mfaRequired: true }
  | { readonly token: string; readonly user: { readonly createdAt: string } };

/** The session of a signed-in administrator with the management API. */
export class Session {
  readonly #address: string;
  /** The access token. It ends after 15 minutes. */
  readonly token: string;
  /**
   * The time at which the administrator was created. Each new database creates a new administrator,
   * so this time identifies the database.
   */
  readonly administratorSince: string;

  private constructor(address: string, token: string, administratorSince: string) {
    this.#address = address;
    this.token = token;
    this.administratorSince = administratorSince;
  }

  /**
   * Signs in. Returns undefined when the e-mail or the password is wrong, when passwords are turned
   * off, and when the user has a second factor. Throws: an Error for any other error status.
   */
  static async open(
    address: string,
    { email, password }: { readonly email: string; readonly password: string },
  ): Promise<Session | undefined> {
    const url = `${address}/api/v1/auth/login`;
    const answer = await send(url, { method: "POST", body: { email, password } });
    if (answer.status === 401 || answer.status === 403) return undefined;
    const body = expectSuccess("POST /api/v1/auth/login", answer) as LoginBody;
    if ("mfaRequired" in body) return undefined;
    return new Session(address, body.token, body.user.createdAt);
  }

  async close(): Promise<void> {
    await this.post("/auth/logout");
  }

  get<T>(path: string): Promise<T> {
    return this.call("GET", path) as Promise<T>;
  }

  post<T>(path: string, body?: unknown): Promise<T> {
    return this.call("POST", path, body) as Promise<T>;
  }

  put<T>(path: string, body: unknown): Promise<T> {
    return this.call("PUT", path, body) as Promise<T>;
  }

  /**
   * Calls the management API and returns the body of the response. Throws: an Error for an error
   * status.
   */
  async call(
    method: Method,
    path: string,
    body?: unknown,
    headers: Call["headers"] = {},
  ): Promise<unknown> {
    const url = `${this.#address}/api/v1${path}`;
    const answer = await send(url, { method, body, token: this.token, headers });
    return expectSuccess(`${method} ${path}`, answer);
  }
}

function expectSuccess(what: string, { status, body }: Answer): unknown {
  if (status >= 200 && status < 300) return body;
  throw new Error(`${what} returned ${status}: ${JSON.stringify(body)}`);
}
