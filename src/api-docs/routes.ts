import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { sha256 } from "../core/lib/digest.ts";
import { matchesNone } from "../http/conditional.ts";
import { PAGE_HEADERS } from "../http/security-headers.ts";
import { type Described, describe } from "./document.ts";
import { REFERENCE_PAGE } from "./reference-page.ts";

/** A response body that an isolate keeps in memory, with its ETag. */
interface Text {
  readonly body: string;
  readonly etag: string;
}

/** Loads the YAML library at the first use, because most isolates never need it. */
async function toYaml(json: string): Promise<string> {
  const { stringify } = await import("yaml");
  return stringify(JSON.parse(json));
}

/**
 * Makes the routes of the OpenAPI description of `app` and of the interactive API reference. The
 * description does not contain these routes themselves.
 */
export function apiDocs(app: Described): OpenAPIHono {
  const router = new OpenAPIHono();
  let built: string | undefined;
  const json = () => (built ??= JSON.stringify(describe(app)));
  router.get("/v3/api-docs", answer("application/json", json));
  // Uses the media type of YAML from RFC 9512.
  router.get(
    "/v3/api-docs.yaml",
    answer("application/yaml", () => toYaml(json())),
  );
  router.get("/swagger-ui.html", (c) =>
    c.html(REFERENCE_PAGE, 200, { ...PAGE_HEADERS, "Cache-Control": "no-cache, no-transform" }),
  );
  return router;
}

/**
 * Makes a handler that calls `write` at its first request and keeps the text. The handler returns
 * 304 when `If-None-Match` has the text's ETag.
 */
function answer(type: string, write: () => string | Promise<string>) {
  let kept: Text | undefined;
  return async (c: Context) => {
    kept ??= await tagged(await write());
    const headers = { ETag: kept.etag, "Cache-Control": "no-cache" };
    const held = c.req.header("If-None-Match");
    if (held !== undefined && matchesNone(held, kept.etag)) return c.body(null, 304, headers);
    return c.body(kept.body, 200, { ...headers, "Content-Type": type });
  };
}

const tagged = async (body: string): Promise<Text> => ({
  body,
  etag: `"${(await sha256(body)).slice(0, 16)}"`,
});
