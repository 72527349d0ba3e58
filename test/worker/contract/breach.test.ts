import { describe, expect, it } from "vitest";
import { contractViolation, description } from "../support/api-description.ts";

const flag = description.components.schemas.FlagWithDependents.example;
const headers = {
  "Content-Type": "application/json",
  "X-B3-TraceId": "80f198ee56343ba864fe8b2a57d3eff7",
  "X-B3-SpanId": "05e3ac9a4f6e3b90",
};
const { tags: _, ...untagged } = flag;
const untraced = { status: 200, body: flag, headers: new Headers() };

const answer = (status: number, body: unknown, more: object = {}) => ({
  status,
  body,
  headers: new Headers({ ...headers, ...more }),
});
const errorBody = { error: "No", code: "NOT_FOUND", traceId: headers["X-B3-TraceId"] };

describe("the check of a response against the API description", () => {
  it.each([
    ["an undescribed status", answer(418, flag), "the status 418 is not described"],
    ["an undescribed field", answer(200, { ...flag, secret: 1 }), 'Property "secret"'],
    ["a field of another type", answer(200, { ...flag, id: "12" }), "#/id"],
    [
      "a field that is no date and time",
      answer(200, { ...flag, createdAt: "yesterday" }),
      "#/createdAt",
    ],
    ["a missing field", answer(200, untagged), '"tags"'],
    [
      "an undescribed header",
      answer(200, flag, { "X-Delta": "full" }),
      "the header X-Delta is not described",
    ],
    ["a missing header", untraced, "the header X-B3-TraceId is missing"],
    [
      "an undescribed content type",
      answer(200, "a", { "Content-Type": "text/plain" }),
      "text/plain",
    ],
    ["an undescribed error code", answer(404, { ...errorBody, code: "GONE" }), "#/code"],
  ])("rejects a response with %s", (_name, wrong, words) => {
    expect(contractViolation("GET", "/api/v1/flags/12", wrong)).toContain(words);
  });

  it("rejects a 204 response that has a body, because the description allows none", () => {
    expect(contractViolation("DELETE", "/api/v1/flags/12", answer(204, flag))).toMatch(
      /none is described/,
    );
  });

  it("accepts a described response, and the error response for an unknown method or path", () => {
    expect(
      contractViolation("GET", "/api/v1/flags/12?a=b", answer(200, flag, { ETag: '"3"' })),
    ).toBeUndefined();
    expect(contractViolation("GET", "/api/v1/flags/12", answer(404, errorBody))).toBeUndefined();
    expect(contractViolation("PATCH", "/api/v1/flags/12", answer(405, errorBody))).toBeUndefined();
    expect(contractViolation("GET", "/api/v1/nothing", answer(404, errorBody))).toBeUndefined();
  });
});
