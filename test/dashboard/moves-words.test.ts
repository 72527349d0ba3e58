import { describe, expect, it } from "vitest";
import { checksADay } from "../../dashboard/src/shared/checks.ts";
import { messages } from "../../dashboard/src/shared/i18n/en/index.ts";
import { formatsOf } from "../../dashboard/src/shared/i18n/formats.ts";
import { createTranslation } from "../../dashboard/src/shared/i18n/translate.ts";
import { movesWords } from "../../dashboard/src/shared/strategy/moves-words.ts";
import type {
  RuleSettings,
  StrategyContent,
} from "../../dashboard/src/shared/strategy/settings.ts";

const { t, add } = createTranslation("en", "en");
add(messages);
const words = { t, ...formatsOf("en"), segmentName: () => "Beta testers" };

const EVERYONE: RuleSettings = {
  name: null,
  exactPercentage: 100,
  constraints: [],
  segmentIds: [],
  stickiness: null,
  hashKey: null,
  serve: { variant: "on" },
  splitKey: null,
  splitStickiness: null,
};
const COUNTRY: Partial<RuleSettings> = {
  constraints: [{ field: "country", operator: "in", values: ["DE", "AT"], contextType: "string" }],
};
const strategy = (
  fields: Partial<RuleSettings>,
  ...rules: Partial<RuleSettings>[]
): StrategyContent => ({
  ...EVERYONE,
  ...fields,
  rules: rules.map((rule) => Object.assign({ ...EVERYONE }, rule)),
});

describe("the words for users who get another value", () => {
  const half = { exactPercentage: 50 };
  const beta = { segmentIds: [1], serve: { variant: "off" } };

  it("name a share of those who meet the conditions of the last rule, if only its percentage changes", () => {
    const before = strategy({ ...COUNTRY, exactPercentage: 22.5 });
    expect(movesWords(words, { moves: 0.275 }, before, strategy({ ...COUNTRY, ...half }))).toBe(
      "27.5% of users in DE and AT get a different value.",
    );
    const rules = strategy({ ...COUNTRY, exactPercentage: 22.5 }, beta);
    const after = strategy({ ...COUNTRY, ...half }, beta);
    expect(movesWords(words, { moves: 0.275 }, rules, after)).toBe(
      "At most 27.5% of users in DE and AT get a different value.",
    );
  });

  it("name the users of a rule that is added or removed", () => {
    const text = "Users who are in Beta testers may get a different value.";
    const all = { moves: 1 };
    expect(movesWords(words, all, strategy({}), strategy({}, beta))).toBe(text);
    expect(movesWords(words, all, strategy({}, COUNTRY, beta), strategy({}, COUNTRY))).toBe(text);
  });

  it("name the users of the only rule that changes, if its conditions stay", () => {
    const pro: Partial<RuleSettings> = {
      constraints: [
        { field: "plan", operator: "in", values: ["pro", "team"], contextType: "string" },
      ],
    };
    const before = strategy({}, COUNTRY, { ...pro, ...half });
    expect(movesWords(words, { moves: 0.5 }, before, strategy({}, COUNTRY, pro))).toBe(
      "At most 50% of users where plan is one of pro, team get a different value.",
    );
    expect(movesWords(words, { moves: 0.5 }, before, strategy({}, pro, pro))).toBe(
      "At most 50% of the users of this flag get a different value.",
    );
  });

  it("name no users if the conditions change, or the change also turns the flag on", () => {
    expect(movesWords(words, { moves: 1 }, strategy({}), strategy(COUNTRY))).toBe(
      "Any user of this flag may get a different value.",
    );
    const off = { ...strategy({}), enabled: false };
    const on = { ...strategy({}, beta), enabled: true };
    expect(movesWords(words, { moves: 0.5 }, off, on)).toBe(
      "At most 50% of the users of this flag get a different value.",
    );
  });

  it("estimate the checks a day, and say nothing of checks without usage", () => {
    const said = (checks: number, fields = {}) =>
      movesWords(
        words,
        { moves: 0.275, checksADay: checks },
        strategy({ ...fields, exactPercentage: 22.5 }),
        strategy({ ...fields, ...half }),
      );
    expect(said(1090)).toBe(
      "27.5% of the users of this flag get a different value. About 300 checks a day.",
    );
    expect(said(4, COUNTRY)).toBe(
      "27.5% of users in DE and AT get a different value. Up to 1 check a day.",
    );
    expect(said(0)).toBe("27.5% of the users of this flag get a different value.");
  });

  it("average the checks of a day since the first day with a check", () => {
    expect(checksADay([0, 0, 100, 0, 50])).toBe(50);
    expect(checksADay([0, 0])).toBe(0);
    expect(checksADay([])).toBe(0);
  });
});
