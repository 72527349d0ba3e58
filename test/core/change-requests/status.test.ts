import { describe, expect, it } from "vitest";
import { statusOf } from "../../../src/core/change-requests/status.ts";

const approved = {
  isComplete: true,
  isCurrent: true,
  isGivenUp: false,
  isPlanned: false,
  required: 2,
  approvals: 2,
  rejections: 0,
};

describe("the status of an open change request is", () => {
  it.each([
    ["approved", {}],
    ["needs-approval", { approvals: 1 }],
    ["rejected", { rejections: 1 }],
    ["rejected", { isCurrent: false, rejections: 1, approvals: 0 }],
    ["outdated", { isCurrent: false, approvals: 0 }],
    ["blocked", { isGivenUp: true, rejections: 1 }],
    ["blocked", { isComplete: false, isCurrent: false }],
    ["scheduled", { isPlanned: true }],
    ["needs-approval", { isPlanned: true, approvals: 1 }],
    ["blocked", { isGivenUp: true, approvals: 0 }],
    ["outdated", { isGivenUp: true, isCurrent: false }],
    ["approved", { required: 0, approvals: 0, rejections: 1 }],
  ])("%s for %o", (expected, progress) => {
    expect(statusOf({ ...approved, ...progress })).toBe(expected);
  });
});
