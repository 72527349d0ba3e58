import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { instantOf, localOf, offsetOf } from "../../dashboard/src/shared/schedule/local-time.ts";

describe("a planned time in the time zone of the browser", () => {
  const before = process.env["TZ"];
  beforeAll(() => {
    process.env["TZ"] = "Europe/Berlin";
  });
  afterAll(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });

  it.each([
    ["in winter", "2026-12-01T09:00", "2026-12-01T08:00:00.000Z", "UTC+1"],
    ["in summer", "2026-07-01T09:00", "2026-07-01T07:00:00.000Z", "UTC+2"],
    ["before the clocks are put forward", "2026-03-29T01:59", "2026-03-29T00:59:00.000Z", "UTC+1"],
    ["after the clocks are put forward", "2026-03-29T03:00", "2026-03-29T01:00:00.000Z", "UTC+2"],
  ])("has the offset of that day %s", (_, local, instant, offset) => {
    const time = Date.parse(instant);
    expect(instantOf(local)).toBe(time);
    expect([localOf(time), offsetOf(time)]).toEqual([local, offset]);
  });

  it("does not exist in the hour that the clocks skip, nor for a text that is no time", () => {
    expect([instantOf("2026-03-29T02:30"), instantOf(""), instantOf("soon")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("names offsets of half an hour, negative ones, and UTC itself", () => {
    const at = Date.parse("2026-12-01T08:00:00Z");
    const offsets = ["Asia/Kolkata", "America/St_Johns", "UTC"].map((zone) => {
      process.env["TZ"] = zone;
      return offsetOf(at);
    });
    expect(offsets).toEqual(["UTC+5:30", "UTC-3:30", "UTC"]);
  });
});
