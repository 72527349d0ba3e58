import { afterEach, expect, it, vi } from "vitest";
import { fullRequest, shortPath } from "../../dashboard/src/shared/session/long-request.ts";

const useTab = () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
};

afterEach(() => vi.unstubAllGlobals());

const pageOf = (request: string) => {
  const url = new URL("https://flags.test/authorize");
  url.searchParams.set("request", request);
  return url;
};

/** Returns the request of the page to which the service returns. */
const requestAt = (path: string) =>
  fullRequest(new URL(path, "https://flags.test").searchParams.get("request") ?? "");

it("a request that is too long for the way through a provider stays in the tab", () => {
  useTab();
  const long = `client_id=https://agent.example.com/c&state=${"x".repeat(3_000)}`;
  const path = shortPath(pageOf(long));
  expect(path).toBe("/authorize?request=kept");
  expect(requestAt(path)).toBe(long);
  useTab();
  expect(requestAt(path)).toBeUndefined();
});

it("a short request and other long pages stay in the path", () => {
  useTab();
  const short = "client_id=a&state=0123";
  expect(requestAt(shortPath(pageOf(short)))).toBe(short);
  const other = `/flags?q=${"x".repeat(3_000)}`;
  expect(shortPath(new URL(other, "https://flags.test"))).toBe(other);
});
