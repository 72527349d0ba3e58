import type { Permission } from "@feature-flags/permissions/permissions";
import type { CallOptions } from "../support/client.ts";
import { unique } from "../support/world.ts";
import type { Known } from "./known.ts";

type Ids = readonly (number | string)[];

/** How a route is called so that it succeeds. */
interface Call {
  /** What takes the place of the parameters, in their order. */
  readonly ids?: (known: Known) => Ids;
  readonly query?: (known: Known) => string;
  readonly body?: (known: Known) => object;
  /** Whose call it is, where it must be somebody's in a certain state. */
  readonly token?: (known: Known) => string;
  /** For a route that is not in `contract-rows.ts`: the document that describes it. */
  readonly additional?: string;
}

export interface Route extends Call {
  /** Method and path as the description has them, such as `GET /api/v1/flags/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** null: open to everybody. */
  readonly permission: Permission | null;
}

export function route(name: string, permission: Permission | null, call: Call = {}): Route {
  const [method = "", path = ""] = name.split(" ");
  return { name, method, path, permission, ...call };
}

export const renamed: Call = { body: ({ unique: name }) => ({ name }) };

/** The path of a call, with values in the place of the parameters. */
export function filled(path: string, ids: Ids): string {
  let next = 0;
  return path.replaceAll(/\{\w+\}/g, () => String(ids[next++]));
}

/** The arguments of a call that succeeds. */
export function properly(to: Route, known: Known): [string, string, CallOptions] {
  const path = filled(to.path, to.ids?.(known) ?? []) + (to.query?.(known) ?? "");
  const body = to.body?.({ ...known, unique: unique("proper") });
  return [to.method, path, { token: tokenOf(to, known), body }];
}

/** The token of somebody who may call the to. */
export function tokenOf(to: Route, known: Known): string | undefined {
  if (to.permission === null) return undefined;
  if (to.token) return to.token(known);
  return to.path.startsWith("/api/client/") ? known.apiKey : known.token;
}
