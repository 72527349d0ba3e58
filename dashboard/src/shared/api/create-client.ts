import type { Client } from "openapi-fetch";
import type { paths } from "./schema.d.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * A client of the management API with the types of openapi-fetch. It throws the errors of `send`, so
 * a result never has an `error`.
 */
export type ApiClient = Pick<Client<paths>, (typeof METHODS)[number]>;

type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface CallOptions {
  readonly params?: { readonly path?: Values; readonly query?: Values; readonly header?: Values };
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Creates a client that sends its requests with `send`. Not `createClient` of openapi-fetch: the
 * dashboard needs only its types, and every page would wait for 2 KB more.
 */
export function createApiClient(send: (request: Request) => Promise<Response>): ApiClient {
  const methods = METHODS.map((method) => [
    method,
    async (path: string, options?: CallOptions) => {
      const response = await send(new Request(...toRequest(method, path, options)));
      const text = await response.text();
      return { data: text === "" ? undefined : (JSON.parse(text) as unknown), response };
    },
  ]);
  return Object.fromEntries(methods) as ApiClient;
}

/**
 * Returns the URL and the options of a request. `path` has its parameters in braces, such as
 * `/api/v1/flags/{id}`. Leaves out query parameters and headers that are undefined or null.
 */
export function toRequest(
  method: string,
  path: string,
  { params = {}, body, headers: others, ...init }: CallOptions = {},
): readonly [url: string, init: RequestInit] {
  const url = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(params.path?.[name])),
  );
  const query = new URLSearchParams(entriesOf(params.query)).toString();
  const headers = new Headers([...entriesOf(params.header), ...entriesOf(others)]);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  return [
    query === "" ? url : `${url}?${query}`,
    { ...init, method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) },
  ];
}

const entriesOf = (values: Values = {}): [name: string, value: string][] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)] as [string, string]],
  );
