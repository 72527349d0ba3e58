import type { Permission } from "@feature-flags/permissions/permissions";
import type { CallOptions } from "../support/client.ts";
import { unique } from "../support/world.ts";
import type { Known } from "./known.ts";

type Ids = readonly (number | string)[];

/** A route of the API, and how to call it successfully. */
interface Call {
  /** The values of the path parameters, in the order of the path. */
  readonly ids?: (known: Known) => Ids;
  readonly query?: (known: Known) => string;
  readonly body?: (known: Known) => object;
  /** The token to use when the caller must be in a certain state. */
  readonly token?: (known: Known) => string;
  /** The document that describes the route, when `contract-rows.ts` does not have it. */
  readonly additional?: string;
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

export const renamed: Call = { body: ({ unique: name }) => ({ name }) };

/** The path, with values in place of the parameters. */
export function filled(path: string, ids: Ids): string {
  let next = 0;
  return path.replaceAll(/\{\w+\}/g, () => String(ids[next++]));
}

/** The arguments of a successful call. */
export function properly(to: Route, known: Known): [string, string, CallOptions] {
  const path = filled(to.path, to.ids?.(known) ?? []) + (to.query?.(known) ?? "");
  const body = to.body?.({ ...known, unique: unique("proper") });
  return [to.method, path, { token: tokenOf(to, known), body }];
}

/** A token with the permission for the route. */
export function tokenOf(to: Route, known: Known): string | undefined {
  if (to.permission === null) return undefined;
  if (to.token) return to.token(known);
  return to.path.startsWith("/api/client/") ? known.apiKey : known.token;
}
