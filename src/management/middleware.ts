import type { Context, MiddlewareHandler } from "hono";
import { requestOf } from "../http/request-of.ts";
import { identify } from "./auth/identify.ts";
import type { ManagementDeps, ManagementEnv } from "./deps.ts";

/**
 * The format of a D1 bookmark. The middleware ignores a request header `X-D1-Bookmark` in another
 * format.
 */
const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** The data of a request from which the dependencies of the management API are created. */
interface RequestStart {
  readonly request: ManagementDeps["request"];
  /** The scheme and host of the request's URL. */
  readonly origin: string;
  /**
   * The D1 bookmark of the request: SQL statements see at least this state of the database. If
   * undefined, the first statement runs in the primary database.
   */
  readonly bookmark: string | undefined;
}

type OpenDeps<E extends ManagementEnv> = (
  c: Context<E>,
  start: RequestStart,
) => { readonly deps: ManagementDeps; readonly bookmark: () => string | null };

/**
 * Returns middleware that creates the dependencies of the management API for a request. The
 * response header `X-D1-Bookmark` is the D1 bookmark after the request's reads and writes.
 */
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
    // The caller is always looked up in the primary database, because a replica may still contain a
    // user or an API key that was removed.
    const primary = () =>
      known === undefined ? deps : open(c, { request, origin, bookmark: undefined }).deps;
    c.set("identify", (token: string) => identify(primary(), token));
    await next();
    const latest = bookmark();
    if (latest !== null) c.header("X-D1-Bookmark", latest);
  };
