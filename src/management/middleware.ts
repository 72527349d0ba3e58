import type { Context, MiddlewareHandler } from "hono";
import { requestOf } from "../http/request-of.ts";
import { identify } from "./auth/identify.ts";
import type { ManagementDeps, ManagementEnv } from "./deps.ts";

/** The format of a D1 bookmark; a header with anything else is ignored. */
const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** What a request brings for its dependencies. */
interface RequestStart {
  readonly request: ManagementDeps["request"];
  /** The scheme and host that the request came to. */
  readonly origin: string;
  /** Read at least this state of the database; undefined: read from the primary. */
  readonly bookmark: string | undefined;
}

type OpenDeps<E extends ManagementEnv> = (
  c: Context<E>,
  start: RequestStart,
) => { readonly deps: ManagementDeps; readonly bookmark: () => string | null };

/** Gives the routes their dependencies, and returns the bookmark of what they read or wrote. */
export const withDeps =
  <E extends ManagementEnv>(open: OpenDeps<E>): MiddlewareHandler<E> =>
  async (c, next) => {
    const header = c.req.header("X-D1-Bookmark");
    const known = header !== undefined && BOOKMARK.test(header) ? header : undefined;
    const { origin } = new URL(c.req.url);
    const request = requestOf(c);
    const { deps, bookmark } = open(c, { request, origin, bookmark: known });
    c.set("deps", deps);
    c.set("limits", deps.limits);
    // The caller is always checked at the primary: a replica may still have a user who was removed.
    const primary = () =>
      known === undefined ? deps : open(c, { request, origin, bookmark: undefined }).deps;
    c.set("identify", (token: string) => identify(primary(), token));
    await next();
    const latest = bookmark();
    if (latest !== null) c.header("X-D1-Bookmark", latest);
  };
