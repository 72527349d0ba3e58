import type { Permission } from "@feature-flags/permissions/permissions";
import type { CallOptions } from "../support/client.ts";
import { unique } from "../support/world.ts";
import type { Known } from "./known.ts";

type Ids = readonly (number | string)[];

/** How to call a route of the API successfully. */
interface Call {
  /** The values of the path parameters, in the order of the path. */
  readonly ids?: (known: Known) => Ids;
  readonly query?: (known: Known) => string;
  readonly body?: (known: Known) => object;
  readonly headers?: (known: Known) => Readonly<Record<string, string>>;
  /** Whether an API key can call it only for its environment. Always so for `strategy:write`. */
  readonly inOwnEnvironment?: boolean;
  /** The token of a caller in the state that the route needs, such as an enrolled second factor. */
  readonly token?: (known: Known) => string;
}

export interface Route extends Call {
  /** The method and the path as in the API description, such as `GET /api/v1/flags/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The permission that the route requires; null: the route is public. */
  readonly permission: Permission | null;
}

export function route(name: string, permission: Permission | null, call: Call = {}): Route {
  const [method = "", path = ""] = name.split(" ");
  return { name, method, path, permission, ...call };
}

/** Returns the routes as a table for `it.each`, whose first column is the name. */
export const titled = (routes: readonly Route[]) => routes.map((one) => [one.name, one] as const);

export const renamed: Call = { body: ({ unique: name }) => ({ name }) };

/** Returns the path with the ids in place of its parameters. */
export function filled(path: string, ids: Ids): string {
  let next = 0;
  return path.replaceAll(/\{\w+\}/g, () => String(ids[next++]));
}

/** Returns the arguments of `call` for a successful request to the route. */
export function properly(to: Route, known: Known): [string, string, CallOptions] {
  const path = filled(to.path, to.ids?.(known) ?? []) + (to.query?.(known) ?? "");
  const body = to.body?.({ ...known, unique: unique("proper") });
  return [to.method, path, { token: tokenOf(to, known), body, headers: to.headers?.(known) ?? {} }];
}

/** Returns a token that may call the route, or undefined if the route is public. */
function tokenOf(to: Route, known: Known): string | undefined {
  if (to.permission === null) return undefined;
  if (to.token) return to.token(known);
  return isForClients(to.path) ? known.apiKey : known.token;
}

/** Whether the path is the endpoint for agents, which accepts only tokens. */
export const isForAgents = (path: string): boolean => path === "/api/mcp";

/** Whether the path belongs to an API that accepts only API keys (docs/build/decisions.md, 3.2). */
export const isForClients = (path: string): boolean =>
  /^\/api\/(?:client|ofrep|openfeature|unleash)\//.test(path);
