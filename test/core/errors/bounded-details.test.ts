import { describe, expect, it } from "vitest";
import { invalid } from "../../../src/core/errors/api-error.ts";
import { listed, naming } from "../../../src/core/errors/naming.ts";
import { fieldErrorsOf } from "../../../src/http/zod-errors.ts";
import { listError } from "../../../src/changes/plan-error.ts";

const errors = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ field: `tags.${n}`, message: "must be a text" }));

describe("the error for a body that is not valid", () => {
  it("has all errors if there are at most 100", () => {
    const { details, message } = invalid(errors(100));
    expect([details?.length, message]).toEqual([100, "The request body is not valid"]);
  });

  it("has the first 100 of more errors, and says how many there are", () => {
    const { details, message } = invalid(errors(5_000));
    expect(details).toEqual(errors(100));
    expect(message).toContain("the first 100 of 5000 errors");
  });

  it("names 20 fields of a list of operations, and says how many there are", () => {
    const refused = Array.from({ length: 200 }, (_, operation) => ({
      operation,
      error: invalid(errors(3)),
      fault: undefined,
      subject: "",
    }));
    const { details, message } = listError(refused);
    expect(details?.map(({ field }) => field).slice(-1)).toEqual(["operations.6.input.tags.1"]);
    expect(message).toContain("the first 20 of 600 errors");
  });

  it("cuts a name of the body that is longer than 200 characters", () => {
    const path = ["evaluations", "k".repeat(1_000_000), 5];
    const [first] = fieldErrorsOf({ issues: [{ code: "custom", path, message: "is wrong" }] });
    expect(first?.field).toBe(`evaluations.${"k".repeat(200)}….5`);
  });
});

it("a message names at most 20 flags, and counts the others", () => {
  const keys = Array.from({ length: 5_000 }, (_, n) => `f${n}`);
  expect(naming("These flags require it", keys)).toMatch(/f0, .*, f19 and 4980 more$/);
  expect(listed(["a", "b"], "; ")).toBe("a; b");
});
