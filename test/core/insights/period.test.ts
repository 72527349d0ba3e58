import { describe, expect, it } from "vitest";
import { ApiError } from "../../../src/core/errors/api-error.ts";
import {
  APP_RETENTION,
  type RequestedPeriod,
  FLAG_RETENTION,
  INSTANCE_RETENTION,
  periodOf,
} from "../../../src/core/insights/period.ts";
import { DAY_MS } from "../../../src/core/lib/time.ts";

const NOW = Date.parse("2026-07-15T10:20:30.400Z");
const ago = (days: number) => NOW - days * DAY_MS;

const ofFlags = (asked: RequestedPeriod) => periodOf(asked, FLAG_RETENTION, NOW);
const ofApps = (asked: RequestedPeriod) => periodOf(asked, APP_RETENTION, NOW);
const ofInstances = (asked: RequestedPeriod) => periodOf(asked, INSTANCE_RETENTION, NOW);

function refusal(ask: () => unknown): string {
  try {
    ask();
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message}`;
  }
  throw new Error("it was not refused");
}

describe("the default period of a request for usage", () => {
  it.each<[string, RequestedPeriod, object]>([
    [
      "is the last 24 hours by the hour when nothing is given",
      {},
      { from: ago(1), to: NOW, interval: "hour" },
    ],
    [
      "is the last 30 days when the interval day is given",
      { interval: "day" },
      { from: ago(30), to: NOW, interval: "day" },
    ],
    [
      "ends now when only `from` is given",
      { from: ago(2) },
      { from: ago(2), to: NOW, interval: "hour" },
    ],
    [
      "begins 24 hours before `to` when only `to` is given",
      { to: ago(3) },
      { from: ago(4), to: ago(3), interval: "hour" },
    ],
    [
      "begins 30 days before `to` when only `to` and the interval day are given",
      { to: ago(3), interval: "day" },
      { from: ago(33), to: ago(3), interval: "day" },
    ],
  ])("fills in what the request leaves out: %s", (_, asked, period) => {
    expect(ofFlags(asked)).toEqual(period);
  });

  it("starts 30 days ago for an application, because older data is deleted", () => {
    const to = NOW - DAY_MS;
    expect(ofApps({ to, interval: "day" }).from).toBe(Date.parse("2026-06-15T00:00:00Z"));
  });

  it("starts 48 hours ago for an SDK instance, because older data is deleted", () => {
    expect(ofInstances({ interval: "day" }).from).toBe(Date.parse("2026-07-13T10:00:00Z"));
  });
});

describe("the default interval of a period", () => {
  it.each<[string, RequestedPeriod, string]>([
    ["the hour for 7 days", { from: ago(7) }, "hour"],
    ["the day for more than 7 days", { from: ago(7) - 1 }, "day"],
    ["the hour for 7 days, 60 days ago", { from: ago(67), to: ago(60) }, "hour"],
    [
      "the day for a period whose hourly counts are not kept any more",
      { from: ago(92), to: ago(91) },
      "day",
    ],
    [
      "the day for an end 100 days ago, whose hourly counts are not kept any more",
      { to: ago(100) },
      "day",
    ],
  ])("is %s", (_, asked, interval) => {
    expect(ofFlags(asked).interval).toBe(interval);
  });
});

describe("a period", () => {
  it("ends now when the requested end is in the future", () => {
    expect(ofFlags({ from: ago(1), to: NOW + 365_000 * DAY_MS }).to).toBe(NOW);
  });

  it("may start 90 days ago with hourly counts, and 2 calendar years ago with daily counts", () => {
    const from = Date.parse("2026-04-16T00:00:00Z");
    expect(ofFlags({ from, interval: "hour" }).from).toBe(from);
    expect(ofFlags({ from: ago(90), interval: "hour" }).from).toBe(ago(90));
    const leap = Date.parse("2028-07-15T10:20:30Z");
    const twoYears = { from: Date.parse("2026-07-15T00:00:00Z"), interval: "day" } as const;
    expect(periodOf(twoYears, FLAG_RETENTION, leap).from).toBe(twoYears.from);
  });

  it("may start 48 hours ago for an SDK instance", () => {
    expect(ofInstances({ from: ago(2) }).from).toBe(ago(2));
  });

  it.each<[string, () => unknown, RegExp]>([
    ["start after its end", () => ofFlags({ from: NOW, to: NOW - 1 }), /^from: must not be after/],
    ["begin in the future", () => ofFlags({ from: NOW + 1 }), /^from: must not .* future$/],
    [
      "ask for hours of more than 90 days ago",
      () => ofFlags({ from: ago(91), interval: "hour" }),
      /^from: hourly data is kept for 90 days/,
    ],
    [
      "ask for more than 2 years ago",
      () => ofFlags({ from: ago(732) }),
      /^from: .* kept for 2 years/,
    ],
    ["end more than 2 years ago", () => ofFlags({ to: ago(732) }), /^to: .* kept for 2 years/],
    [
      "ask for more than 48 hours ago of an instance",
      () => ofInstances({ from: Date.parse("2026-07-13T09:59:59Z") }),
      /^from: .*instance.* kept for 48 hours/,
    ],
    [
      "ask for days of more than 48 hours ago of an instance",
      () => ofInstances({ from: ago(3), interval: "day" }),
      /^from: .*instance.* kept for 48 hours/,
    ],
    [
      "ask for more than 30 days ago of an application",
      () => ofApps({ from: ago(31) }),
      /^from: .*application.* kept for 30 days/,
    ],
  ])("is rejected when it would %s", (_, ask, words) => {
    const [, message = ""] = /^BAD_REQUEST Invalid query: (.*)$/.exec(refusal(ask)) ?? [];
    expect(message).toMatch(words);
  });
});
