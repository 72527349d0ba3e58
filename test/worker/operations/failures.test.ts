import { DrizzleQueryError } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { asError, describeError, callerTexts } from "../../../src/http/describe-error.ts";

describe("what a log tells of a failure", () => {
  it("is the message with those of its causes, and all stacks", () => {
    const error = new Error("no answer", { cause: new TypeError("no line") });
    const { message, stack } = describeError(error);
    expect(message).toBe("no answer; caused by: no line");
    expect(stack).toMatch(/^Error: no answer\n[^]*\nCaused by: TypeError: no line\n/);
  });

  it("comes to an end when an error is its own cause", () => {
    const error = new Error("round");
    error.cause = error;
    expect(describeError(error).message.split("round")).toHaveLength(7);
  });

  const circular: Record<string, unknown> = {};
  circular["self"] = circular;

  it.each([
    ["a text", "a text"],
    [{ reason: 1 }, '{"reason":1}'],
    [null, "null"],
    [undefined, "undefined"],
    [42, "42"],
    [1n, "bigint"],
    [circular, "object"],
  ])("is what was thrown where that is no error: %s", (thrown, words) => {
    expect(describeError(thrown)).toEqual({ message: words, stack: undefined, values: [] });
    expect(asError(thrown).message).toContain(words);
  });

  it("leaves out what was bound to a statement, and names it as what is to be masked", () => {
    const cause = Object.assign(new Error("near b"), { params: ["c", 1, null] });
    const { message, values } = describeError(
      new DrizzleQueryError("select ?", ["a\nb", 2], cause),
    );
    expect(message).toBe("Failed query: select ?; caused by: near b");
    expect(values).toEqual(["a\nb", "c"]);
  });
});

describe("what a request brought", () => {
  it("is in its headers, its query, and the sensitive fields of its body", () => {
    const raw = new Request("https://flags.test/api?key=of+query", {
      headers: { Authorization: "Bearer t", "X-Change-Reason": "why", Accept: "any" },
    });
    const body = { email: "a@example.com", password: "one", configJson: '{"headers":{"X":"two"}}' };
    const heard = callerTexts({ raw, valid: () => body });
    expect(heard).toEqual(expect.arrayContaining(["Bearer t", "why", "of query", "one", "two"]));
    expect(heard).not.toContain("a@example.com");
    expect(callerTexts({ raw, valid: () => undefined })).toEqual(["Bearer t", "why", "of query"]);
  });
});
