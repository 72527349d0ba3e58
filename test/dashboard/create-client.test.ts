import { expect, it } from "vitest";
import { createApiClient, toRequest } from "../../dashboard/src/shared/api/create-client.ts";

const ORIGIN = "https://flags.example";

/** A client of another origin, because Node has no page whose origin would complete a path. */
const clientOf = (send: (request: Request) => Response) =>
  createApiClient(async (request) => send(request));

it("fills in path parameters, and encodes them", () => {
  const path = { id: 7, key: "a/b" };
  const [url] = toRequest("GET", "/flags/{id}/tags/{key}", { params: { path } });
  expect(url).toBe("/flags/7/tags/a%2Fb");
});

it("adds query parameters in their order, and leaves out those without a value", () => {
  const query = { sort: "-name", search: undefined, tag: null, page: 0, archived: false, q: "ä&b" };
  const [url] = toRequest("GET", "/flags", { params: { query } });
  expect(new URL(url, ORIGIN).search).toBe("?sort=-name&page=0&archived=false&q=%C3%A4%26b");
});

it("sends a body as JSON, with the headers of the call", () => {
  const [, init] = toRequest("PUT", "/flags/{id}", {
    params: { path: { id: 7 }, header: { "If-Match": '"3"', "X-Change-Reason": undefined } },
    body: { name: "Checkout" },
  });
  expect(init.method).toBe("PUT");
  expect(init.body).toBe('{"name":"Checkout"}');
  expect([...new Headers(init.headers)]).toEqual([
    ["content-type", "application/json"],
    ["if-match", '"3"'],
  ]);
});

it("sends no body and no type without a body", () => {
  const [url, init] = toRequest("DELETE", "/flags/{id}", { params: { path: { id: 7 } } });
  expect(url).toBe("/flags/7");
  expect(init.body).toBeUndefined();
  expect(new Headers(init.headers).has("Content-Type")).toBe(false);
});

it("sends headers that the API description does not name", () => {
  const [, init] = toRequest("POST", "/evaluate", { headers: { Authorization: "Bearer key" } });
  expect(new Headers(init.headers).get("Authorization")).toBe("Bearer key");
});

it("passes the signal on", () => {
  const { signal } = new AbortController();
  expect(toRequest("GET", "/flags", { signal })[1].signal).toBe(signal);
});

it("returns the JSON of a response, and undefined for a response without a body", async () => {
  const url = `${ORIGIN}/api/v1/projects` as "/api/v1/projects";
  const full = clientOf(() => Response.json([{ id: 1 }], { headers: { "X-Total-Count": "1" } }));
  const { data, response } = await full.GET(url);
  expect(data).toEqual([{ id: 1 }]);
  expect(response.headers.get("X-Total-Count")).toBe("1");
  const empty = clientOf(() => new Response(null, { status: 204 }));
  expect((await empty.GET(url)).data).toBeUndefined();
});
