import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import dashboardHeaders from "../../../dashboard/public/_headers?raw";
import { api } from "../../../src/api.ts";
import { PERMISSIONS } from "@feature-flags/permissions/permissions";
import { apiDocs } from "../../../src/api-docs/routes.ts";
import { call, type Json } from "../support/client.ts";
import { description } from "../support/api-description.ts";

const JSON_PATH = "/v3/api-docs";
const YAML_PATH = "/v3/api-docs.yaml";

const operations = Object.entries<Json>(description.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
  ),
);

/** All media type objects of a response or a request body. Resolves its `$ref` first. */
const contents = ({ $ref, content = {} }: Json): Json[] =>
  $ref === undefined
    ? Object.values(content)
    : contents(description.components.responses[$ref.split("/").at(-1)]);

/** Whether a media type has examples of its own, or a named schema with one. */
const hasExample = ({ example, examples, schema }: Json): boolean =>
  example !== undefined ||
  Object.keys(examples ?? {}).length > 0 ||
  description.components.schemas[schema.$ref?.split("/").at(-1)]?.example !== undefined;

describe("the API description", () => {
  it("is an OpenAPI 3.1 document in JSON", async () => {
    const { status, headers, body } = await call("GET", JSON_PATH);
    expect([status, headers.get("Content-Type")]).toEqual([200, "application/json"]);
    expect(body).toEqual(JSON.parse(JSON.stringify(description)));
    expect(body).toMatchObject({ openapi: "3.1.0", servers: [{ url: "/" }] });
  });

  it("is available in YAML with the same content", async () => {
    const { status, headers, body } = await call("GET", YAML_PATH);
    expect([status, headers.get("Content-Type")]).toEqual([200, "application/yaml"]);
    expect(body).toMatch(/^openapi: 3\.1\.0\n/);
    expect(parse(body)).toEqual((await call("GET", JSON_PATH)).body);
  });

  it.each([JSON_PATH, YAML_PATH])("returns 304 when the ETag matches: %s", async (path) => {
    const etag = (await call("GET", path)).headers.get("ETag") ?? "";
    const again = await call("GET", path, { headers: { "If-None-Match": etag } });
    expect([again.status, again.body, again.headers.get("ETag")]).toEqual([304, "", etag]);
    const other = await call("GET", path, { headers: { "If-None-Match": '"other"' } });
    expect(other.status).toBe(200);
  });

  it.each([JSON_PATH, YAML_PATH])(
    "returns 405 with an Allow header to a POST request to %s",
    async (path) => {
      const answer = await call("POST", path);
      expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    },
  );

  it("is built once, at the first of three requests", async () => {
    let builds = 0;
    const docs = apiDocs({
      getOpenAPI31Document: (...options) => {
        builds += 1;
        return api.getOpenAPI31Document(...options);
      },
    });
    expect(builds).toBe(0);
    for (const path of [JSON_PATH, YAML_PATH, JSON_PATH]) await docs.request(path);
    expect(builds).toBe(1);
  });

  it("has a unique id for every operation", () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has only one pair of ambiguous paths: the two paths for context values", () => {
    const paths = Object.keys(description.paths);
    const shapes = paths.map((path) => path.replaceAll(/\{\w+\}/g, "*").split("/"));
    const overlaps = shapes.flatMap((a, i) =>
      shapes.slice(i + 1).flatMap((b) => {
        const same = a.length === b.length && a.every((part, at) => matches(part, b[at] ?? ""));
        const stars = (parts: string[]) => parts.filter((part) => part === "*").length;
        return same && stars(a) === stars(b) ? [[a.join("/"), b.join("/")].toSorted()] : [];
      }),
    );
    expect(overlaps).toEqual([["/api/v1/contexts/*/values", "/api/v1/contexts/values/*"]]);
  });
});

const matches = (a: string, b: string) => a === b || a === "*" || b === "*";

describe.each(operations)("the operation %s", (name, operation) => {
  const permission = operation["x-permission"];

  it("has an operation id, a summary and exactly one of the described tags", () => {
    const sections = description.tags.map((tag: Json) => tag.name);
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.tags).toHaveLength(1);
    expect(sections).toContain(operation.tags[0]);
  });

  it("names its security scheme and its permission", () => {
    expect([null, ...Object.keys(PERMISSIONS)]).toContain(permission);
    const asksForToken = name.includes(" /actuator") && !name.endsWith("/health");
    const open = asksForToken ? [{}, { actuatorToken: [] }] : [];
    expect(operation.security).toEqual(permission === null ? open : [{ bearer: [] }]);
  });

  it("has an example of every request and response body", () => {
    const bodies = [operation.requestBody ?? {}, ...Object.values<Json>(operation.responses)];
    expect(bodies.flatMap(contents).filter((content) => !hasExample(content))).toEqual([]);
  });

  it("describes the error statuses that follow from its input, its permission and its path", () => {
    const statuses = Object.keys(operation.responses);
    const takesInput = !name.startsWith("GET ") || name.includes("{");
    const least = [
      ...(takesInput ? ["400"] : []),
      ...(permission === null ? [] : ["401", "403"]),
      ...(/\{\w*id\}/i.test(name) ? ["404"] : []),
      "500",
      "503",
    ];
    expect(statuses).toEqual(expect.arrayContaining(least));
    // Bulk changes and lists of operations have the versions in their body, and not in If-Match.
    const takesVersion = /If-Match|BulkResult|OperationsResult/.test(JSON.stringify(operation));
    expect(statuses.includes("412")).toBe(takesVersion);
  });
});

describe("the interactive API reference", () => {
  it("needs no authentication, loads only files of its own origin, and contains no inline script or style", async () => {
    const { headers, body } = await call("GET", "/swagger-ui.html");
    expect(headers.get("Cache-Control")).toBe("no-cache, no-transform");
    expect(headers.get("X-B3-TraceId")).toMatch(/^[0-9a-f]{32}$/);
    const urls = [...(body as string).matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
    expect(urls).toEqual([
      "/favicon.svg",
      "/vendor/swagger-ui-dist/swagger-ui.css",
      "/vendor/swagger-ui-dist/swagger-ui-bundle.js",
      "/vendor/swagger-ui-dist/initializer.js",
    ]);
    expect(body).not.toMatch(/<script>|<style|style=|\son[a-z]+=/);
  });

  it("has all headers of the dashboard's pages", async () => {
    const { headers } = await call("GET", "/swagger-ui.html");
    const ofAllFiles = dashboardHeaders.replace(/^\/assets[^]*/m, "");
    const dashboard = [...ofAllFiles.matchAll(/^ {2}(\S+): (.+)$/gm)];
    expect(dashboard.length).toBeGreaterThan(5);
    for (const [, name = "", value] of dashboard)
      expect([name, headers.get(name)]).toEqual([name, value]);
  });
});
