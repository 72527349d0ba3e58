import { describe, expect, it } from "vitest";
import {
  type AskedSchedule,
  changedSchedule,
  nextLook,
  UNSCHEDULED,
} from "../../../src/core/change-requests/schedule.ts";
import { ApiError } from "../../../src/core/errors/api-error.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/lib/time.ts";

const NOW = Date.parse("2026-03-28T12:00:00Z");
const applyAt = NOW + DAY_MS;
const before = { applyAt, latestAt: applyAt + 2 * HOUR_MS, timeZone: "Europe/Berlin" };

/** Returns the field errors of a change as text. */
function refusalOf(asked: AskedSchedule, of = before as Parameters<typeof changedSchedule>[0]) {
  try {
    changedSchedule(of, asked, NOW);
  } catch (error) {
    if (error instanceof ApiError)
      return error.details?.map((one) => `${one.field} ${one.message}`);
  }
  return undefined;
}

describe("the schedule of a change request", () => {
  it("lasts an hour by default", () => {
    expect(changedSchedule(UNSCHEDULED, { applyAt }, NOW)).toEqual({
      applyAt,
      latestAt: applyAt + HOUR_MS,
      timeZone: null,
    });
  });

  it("stays as it is without a change, also when its time has passed", () => {
    expect(changedSchedule(before, {}, NOW)).toEqual(before);
    expect(changedSchedule(before, {}, NOW + 9 * DAY_MS)).toEqual(before);
  });

  it("keeps the time zone, but not the end, when it is moved", () => {
    const later = applyAt + DAY_MS;
    expect(changedSchedule(before, { applyAt: later }, NOW)).toEqual({
      applyAt: later,
      latestAt: later + HOUR_MS,
      timeZone: "Europe/Berlin",
    });
  });

  it("is removed with applyAt: null", () => {
    expect(changedSchedule(before, { applyAt: null }, NOW)).toEqual(UNSCHEDULED);
  });

  it.each<[AskedSchedule, string[]]>([
    [{ applyAt: NOW - MINUTE_MS - 1 }, ["applyAt must not be in the past"]],
    [{ applyAt: NOW + 366 * DAY_MS + 1 }, ["applyAt must be at most a year ahead"]],
    [{ latestAt: applyAt }, ["latestAt must be after applyAt and after now"]],
    [{ latestAt: applyAt + 30 * DAY_MS + 1 }, ["latestAt must be at most 30 days after applyAt"]],
    [{ applyAt: null, timeZone: "UTC" }, ["timeZone requires applyAt"]],
  ])("is refused with %o", (asked, errors) => {
    expect(refusalOf(asked)).toEqual(errors);
  });

  it("may begin a minute ago, and a year ahead", () => {
    expect(refusalOf({ applyAt: NOW - MINUTE_MS })).toBeUndefined();
    expect(refusalOf({ applyAt: NOW + 366 * DAY_MS })).toBeUndefined();
  });

  it("cannot get an end or a time zone without applyAt", () => {
    expect(refusalOf({ latestAt: applyAt, timeZone: "UTC" }, UNSCHEDULED)).toEqual([
      "latestAt requires applyAt",
      "timeZone requires applyAt",
    ]);
  });

  it("is looked at a day and an hour before, and then at its time", () => {
    const at = NOW + 2 * DAY_MS;
    expect(nextLook(at, NOW)).toBe(at - DAY_MS);
    expect(nextLook(at, at - DAY_MS)).toBe(at - HOUR_MS);
    expect(nextLook(at, at - HOUR_MS)).toBe(at);
    expect(nextLook(at, at + 1)).toBe(at);
  });
});
