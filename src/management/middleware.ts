import type { Context, MiddlewareHandler } from "hono";
import { MCP_PATH } from "../core/oauth/endpoints.ts";
import { requestOf } from "../http/request-of.ts";
import { identify } from "../access/identify.ts";
import type { Deps, ManagementEnv } from "../access/deps.ts";

/** The format of a D1 bookmark. The middleware ignores a request header `X-D1-Bookmark` in another format. */
const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** The methods of requests that only read (RFC 9110 section 9.2.1). */
const READS = new Set(["GET", "HEAD"]);

/** The data of a request from which the dependencies of the management API are created. */
interface RequestStart {
  readonly request: Deps["request"];
  readonly url: string;
  /**
   * The D1 bookmark of the request: SQL statements see at least this state of the database. If
   * undefined, the first statement runs in the primary database.
   */
  readonly bookmark: string | undefined;
}

type OpenDeps<E extends ManagementEnv> = (
  c: Context<E>,
  start: RequestStart,
) => { readonly deps: Deps; readonly bookmark: () => string | null };

/**
 * Returns middleware that creates the dependencies of the management API for a request. The
 * response header `X-D1-Bookmark` is the D1 bookmark after the request's reads and writes.
 */
export const withDeps =
  <E extends ManagementEnv>(open: OpenDeps<E>): MiddlewareHandler<E> =>
  async (c, next) => {
    const { url } = c.req;
    const request = requestOf(c);
    const primary = open(c, { request, url, bookmark: undefined });
    let { bookmark } = primary;
    c.set("deps", primary.deps);
    c.set("limits", primary.deps.limits);
    // Looks up the caller in the primary database, because a replica may still contain a user, a
    // session or an API key that was removed. The request's bookmark is used only after the caller
    // is known. Otherwise an attacker could choose a replica that still has an old password. A
    // write ignores the bookmark. On a replica that lags, a change could look as if it were made
    // already, and `commit` would not write it.
    c.set("identify", async (token: string) => {
      const caller = await identify(primary.deps, token, c.req.path === MCP_PATH);
      const header = c.req.header("X-D1-Bookmark");
      const isRead = READS.has(c.req.method);
      if (caller && isRead && header !== undefined && BOOKMARK.test(header)) {
        const atBookmark = open(c, { request, url, bookmark: header });
        bookmark = atBookmark.bookmark;
        c.set("deps", atBookmark.deps);
      }
      return caller;
    });
    await next();
    const latest = bookmark();
    if (latest !== null) c.header("X-D1-Bookmark", latest);
  };
