import { describe, expect, it } from "vitest";
import { formatsOf } from "../../dashboard/src/shared/i18n/formats.ts";
import { localeOf } from "../../dashboard/src/shared/i18n/language.ts";

const AT = "2026-01-31T13:05:00Z";

describe("the formats of dates, times and numbers", () => {
  it("follow the browser's locale if it has the language of the page", () => {
    expect(localeOf("en", "en-GB")).toBe("en-GB");
    expect(localeOf("de", "de-AT")).toBe("de-AT");
  });

  it("follow the browser's region if the browser has another language than the page", () => {
    expect(localeOf("en", "de-DE")).toBe("en-DE");
    expect(localeOf("de", "en-GB")).toBe("de-GB");
    expect(localeOf("de", "en")).toBe("de");
  });

  it("put the day first with 24 hours for en-GB, and the month first with 12 hours for en-US", () => {
    expect(formatsOf("en", "en-GB").dateTime(AT)).toMatch(/^31 Jan 2026, \d\d:05$/);
    expect(formatsOf("en", "en-US").dateTime(AT)).toMatch(/^Jan 31, 2026, \d{1,2}:05\s[AP]M$/);
    expect(formatsOf("de", "de-GB").dateTime(AT)).toMatch(/^31\.01\.2026, \d\d:05$/);
  });

  it("say the day of a near time in a word, and the date of another time", () => {
    const format = formatsOf("en", "en-GB");
    const now = new Date(2026, 0, 31, 23, 0).getTime();
    const at = (day: number, hour: number) => new Date(2026, 0, day, hour, 5).toISOString();
    expect(format.dayAndTime(at(31, 9), now)).toBe("today 09:05");
    expect(format.dayAndTime(at(32, 0), now)).toBe("tomorrow 00:05");
    expect(format.dayAndTime(at(30, 9), now)).toBe("yesterday 09:05");
    expect(format.dayAndTime(at(33, 0), now)).toBe("2 Feb 2026, 00:05");
    expect(formatsOf("de").dayAndTime(at(32, 9), now)).toBe("morgen 09:05");
  });

  it("take the decimal separator from the locale, and words from the language", () => {
    const format = formatsOf("en", "en-DE");
    expect(format.number(1234.5)).toBe("1.234,5");
    expect(format.percent(0.125)).toBe("12,5\u00a0%");
    expect(format.compact(1234)).toBe("1,2K");
    expect(formatsOf("en", "en-GB").compact(10_000_000)).toBe("10M");
    expect(format.list(["a", "b"])).toBe("a and b");
  });
});
