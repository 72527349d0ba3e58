import { expect, it } from "vitest";
import { clientText } from "../../../src/core/oauth/client-id.ts";

const LONG = `${"claude.ai.".repeat(6)}evil.example.com`;

it.each([
  ["a registered client", "ffclient_abc", "Shop bot", "Shop bot"],
  ["a document", "https://evil.example.com/c", "Claude Code", "evil.example.com (Claude Code)"],
  ["a document without a name", "https://a.example.com/c", "a.example.com", "a.example.com"],
  ["a document at a long host", `https://${LONG}/c`, "Claude", `…${LONG.slice(-39)} (Claude)`],
])("names the client of %s", (_, clientId, name, expected) => {
  expect(clientText({ clientId, name })).toBe(expected);
});
