import { setTimeout } from "node:timers/promises";
import { headerText } from "@feature-flags/evaluation/header-text";
import { type ExitName, Failure, type FieldFault } from "./failure.ts";
import type { BodyOf, ItemOf, Method, PathOf, QueryOf } from "./types.ts";
import { CLI_VERSION } from "./version.ts";

/** After this time without a complete response, a request fails, milliseconds. */
const TIMEOUT_MS = 60_000;

/** A request waits at most this long for the rate limit of the service, seconds: the length of a window. */
const MAX_WAIT_S = 60;

/** The largest page size of the lists of flags. */
const PAGE_SIZE = 100;

interface Call {
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  /** Why the change is made, for the audit trail. */
  readonly reason?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** The body of an error response. */
interface ErrorBody {
  readonly error?: string;
  readonly code?: string;
  readonly details?: readonly FieldFault[];
}

/** Calls the management API of one service with one token. */
export class Api {
  readonly url: string;
  readonly #token: string | undefined;

  /** `token`: undefined for the routes that need none. */
  constructor(url: string, token: string | undefined) {
    this.url = url;
    this.#token = token;
  }

  /** Throws: a Failure for an error response, and when the service does not respond. */
  async get<const P extends PathOf<"GET">>(path: P, query?: QueryOf<P>): Promise<BodyOf<"GET", P>> {
    return (await this.send("GET", path, { query })).body;
  }

  async post<const P extends PathOf<"POST">>(path: P, call: Call): Promise<BodyOf<"POST", P>> {
    return (await this.send("POST", path, call)).body;
  }

  /** Reads all pages of a list. Throws as `get`. */
  async pages<const P extends PathOf<"GET">>(
    path: P,
    query: Omit<QueryOf<P>, "page" | "size">,
  ): Promise<readonly ItemOf<P>[]> {
    const items: ItemOf<P>[] = [];
    for (let page = 0, total = 1; page < total; page++) {
      const { body } = await this.send("GET", path, { query: { ...query, page, size: PAGE_SIZE } });
      const answer = body as { items: ItemOf<P>[]; totalPages: number };
      items.push(...answer.items);
      total = answer.totalPages;
    }
    return items;
  }

  async send<M extends Method, const P extends PathOf<M>>(
    method: M,
    path: P,
    call: Call,
  ): Promise<Answer<BodyOf<M, P>>> {
    const open = () => this.open(method, path, call, AbortSignal.timeout(TIMEOUT_MS));
    // Plans and applies of many parts meet the rate limit for files.
    const response = await open().catch(async (error: unknown) => {
      const seconds = error instanceof Failure ? error.retryAfterS : undefined;
      if (seconds === undefined || !(seconds <= MAX_WAIT_S)) throw error;
      await setTimeout(seconds * 1000);
      return open();
    });
    const text = await response.text().catch((error: unknown) => {
      throw unreachable(this.url, error);
    });
    return {
      status: response.status,
      headers: response.headers,
      body: parsed(text) as BodyOf<M, P>,
    };
  }

  /** Sends a request, and returns the response before its body has arrived. Throws as `get`. */
  async open<M extends Method>(
    method: M,
    path: PathOf<M>,
    call: Call,
    signal: AbortSignal,
  ): Promise<Response> {
    const { query = {}, body, reason, headers } = call;
    const target = new URL(`${this.url}/api/v1${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) target.searchParams.set(name, String(value));
    const init: RequestInit = {
      method,
      signal,
      // The token must not follow a redirect to another address.
      redirect: "error",
      headers: {
        Accept: "application/json",
        "User-Agent": `flags/${CLI_VERSION}`,
        ...headers,
        ...(this.#token !== undefined && { Authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(reason !== undefined && { "X-Change-Reason": headerText(reason) }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const response = await fetch(target, init).catch((error: unknown) => {
      throw unreachable(this.url, error);
    });
    if (!response.ok) throw failureOf(response, parsed(await response.text().catch(() => "")));
    return response;
  }
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreachable(url: string, error: unknown): Failure {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  const reason = cause?.code ?? cause?.message ?? message;
  return new Failure("unreachable", `${url} does not respond: ${reason}`, {
    remedy: "Check the address and the network, and try again.",
  });
}

const EXIT_OF_CODE: Readonly<Record<string, ExitName>> = {
  APPROVAL_REQUIRED: "approval",
  OUTDATED: "conflict",
};

const EXIT_OF_STATUS: Readonly<Record<number, ExitName>> = {
  401: "access",
  403: "access",
  409: "conflict",
  412: "conflict",
  429: "unreachable",
  502: "unreachable",
  503: "unreachable",
  504: "unreachable",
};

const REMEDY_OF_STATUS: Readonly<Record<number, string>> = {
  401: "The token is missing, wrong or expired. Run flags login, or set FLAGS_TOKEN.",
  403: "Use a token with the scope and the role that the change needs, or ask an administrator.",
  412: "Somebody has changed it in the meantime. Run the command again.",
  503: "The service is not available at the moment. Try again later.",
};

/** Turns an error response into a Failure with the texts of the service. */
function failureOf({ status, headers }: Response, body: unknown): Failure {
  const { error, code, details = [] } = (body ?? {}) as ErrorBody;
  const exit = EXIT_OF_CODE[code ?? ""] ?? EXIT_OF_STATUS[status] ?? "error";
  const wait = headers.get("Retry-After");
  return new Failure(exit, error ?? `The service answers ${status}`, {
    code,
    details,
    ...(status === 429 && wait !== null && { retryAfterS: Number(wait) }),
    remedy:
      wait === null ? REMEDY_OF_STATUS[status] : `Try again in ${wait} seconds at the earliest.`,
  });
}
