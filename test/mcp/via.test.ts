import { expect, it } from "vitest";
import { viaOf } from "../../src/mcp/via.ts";

const NAMES = { client: undefined, message: {}, userAgent: undefined, token: "ci" };
const info = (given: unknown) => ({
  params: { _meta: { "io.modelcontextprotocol/clientInfo": given } },
});

it.each([
  ["the OAuth client", { client: "Shop bot", message: info({ name: "a" }) }, "Shop bot"],
  [
    "the title and version that the client claims",
    { message: info({ name: "claude-code", title: "Claude Code", version: "1.2" }) },
    "Claude Code 1.2",
  ],
  ["the name without a title", { message: info({ name: "cursor" }) }, "cursor"],
  ["the User-Agent without a claim", { userAgent: "node-fetch/3.1 (linux) x/1" }, "node-fetch 3.1"],
  [
    "the User-Agent for a claim of nothing visible",
    { message: info({ name: "\u200b" }), userAgent: "curl/8" },
    "curl 8",
  ],
  ["the token without anything else", {}, "ci"],
  ["the token for a claim that is no text", { message: info({ name: { a: 1 } }) }, "ci"],
  [
    "one line of 60 characters",
    { client: `a\n\u202eb ${"é".repeat(90)}` },
    `a b ${"é".repeat(56)}`,
  ],
])("names an agent by %s", (_, given, expected) => {
  expect(viaOf({ ...NAMES, ...given })).toBe(expected);
});
