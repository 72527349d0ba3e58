import { DrizzleQueryError } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { asError, describeError } from "../../../src/core/logging/describe-error.ts";

describe("describeError", () => {
  it("joins the messages and the stacks of an error and its causes", () => {
    const error = new Error("no answer", { cause: new TypeError("no line") });
    const { message, stack } = describeError(error);
    expect(message).toBe("no answer; caused by: no line");
    expect(stack).toMatch(/^Error: no answer\n[^]*\nCaused by: TypeError: no line\n/);
  });

  it("describes only five causes when an error is its own cause", () => {
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
  ])("describes a thrown value that is not an Error: %s", (thrown, words) => {
    expect(describeError(thrown)).toEqual({
      message: words,
      stack: undefined,
      boundValues: [],
    });
    expect(asError(thrown).message).toContain(words);
  });

  it("removes an SQL statement's bound values from the message, and returns them separately", () => {
    const cause = Object.assign(new Error("near b"), { params: ["c", 1, null] });
    const error = new DrizzleQueryError("select ?", ["a\nb", 2], cause);
    const { message, boundValues } = describeError(error);
    expect(message).toBe("Failed query: select ?; caused by: near b");
    expect(boundValues).toEqual(["a\nb", "c"]);
  });
});
