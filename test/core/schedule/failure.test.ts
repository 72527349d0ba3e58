import { expect, it } from "vitest";
import {
  ApiError,
  conflict,
  notFound,
  tooManyRequests,
} from "../../../src/core/errors/api-error.ts";
import { failureOf } from "../../../src/core/schedule/failure.ts";

it.each([
  ["retry", new Error("D1_ERROR: the database is overloaded")],
  ["retry", new ApiError("SERVICE_UNAVAILABLE", "The database does not respond")],
  ["retry", tooManyRequests("Too many changes", 1_000)],
  ["wait", new ApiError("APPROVAL_REQUIRED", "production")],
  ["outdated", new ApiError("OUTDATED", "Rebase it")],
  ["blocked", new ApiError("QUOTA_EXCEEDED", "Too many flags")],
  ["blocked", new ApiError("FORBIDDEN", "The request needs the permission flag:write")],
  ["blocked", conflict("The flag is archived")],
  ["blocked", notFound("The segment does not exist")],
])("a planned change becomes %s after the error %s", (expected, error) => {
  expect(failureOf(error)).toBe(expected);
});
