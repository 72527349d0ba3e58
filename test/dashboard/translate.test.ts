import { describe, expect, it } from "vitest";
import { messages as german } from "../../dashboard/src/shared/i18n/de/index.ts";
import { messages as english } from "../../dashboard/src/shared/i18n/en/index.ts";
import { createTranslation, type TextKey } from "../../dashboard/src/shared/i18n/translate.ts";

const { t, split, add } = createTranslation("en", "en-GB");
add(english);
const inGerman = createTranslation("de", "de-DE");
inGerman.add(german);

describe("a translation", () => {
  it("returns the text of a key", () => {
    expect(t("common.save")).toBe("Save");
    expect(t("common.pages.next")).toBe(english.common.pages.next);
    expect(inGerman.t("common.save")).toBe(german.common.save);
  });

  it("returns the key if there is no text", () => {
    // @ts-expect-error -- The key is unknown.
    expect(t("common.nothing")).toBe("common.nothing");
    // @ts-expect-error -- The key is a group of texts.
    expect(t("common.pages")).toBe("common.pages");
    for (const key of ["constructor.name", "common.save.0", "toString"])
      expect(t(key as TextKey)).toBe(key);
  });

  it("keeps its texts when further texts load", () => {
    const loaded = createTranslation("en", "en");
    loaded.add({ common: { save: "Save" } });
    loaded.add({ flags: { new: "New flag" } });
    expect(loaded.t("common.save")).toBe("Save");
  });
});

describe("the values in a text", () => {
  it("are inserted unchanged", () => {
    const name = "<b>{{count}}</b> $& $t(common.save)";
    expect(t("projects.typeName", { name })).toBe(`Type <name>${name}</name> to confirm`);
  });

  it("are left out if they are missing", () => {
    expect(t("projects.typeName")).toBe("Type <name></name> to confirm");
    expect(t("projects.typeName", { name: null })).toBe("Type <name></name> to confirm");
  });

  it("follow the number format of the locale if the text says `, number`", () => {
    const own = { flags: { count_one: "{{count}}", count_other: "{{count, number}} | {{count}}" } };
    const loaded = createTranslation("en", "en-DE");
    loaded.add(own);
    expect(loaded.t("flags.count", { count: 1234.5 })).toBe("1.234,5 | 1234.5");
  });
});

describe("a plural", () => {
  it("depends on the count", () => {
    expect(t("flags.count", { count: 1 })).toBe("1 flag");
    expect(t("flags.count", { count: 0 })).toBe("0 flags");
    expect(t("flags.count", { count: 1200 })).toBe("1,200 flags");
    expect(inGerman.t("flags.count", { count: 1200 })).toBe("1.200 Flags");
  });

  it("has its own text for zero if there is one", () => {
    expect(t("account.codesLeft", { count: 0 })).toBe(english.account.codesLeft_zero);
    expect(t("account.codesLeft", { count: 1 })).toContain("1");
  });

  it("needs a count", () => {
    // @ts-expect-error -- The count is missing.
    expect(t("flags.count", { name: "x" })).toBe("flags.count");
    // @ts-expect-error -- A plural form such as `flags.count_one` is not a valid key.
    expect(t("flags.count_one", { count: 1 })).toBe(t("flags.count", { count: 1 }));
  });
});

describe("a text with tags", () => {
  it("is split at its tags", () => {
    expect(split("apiKeys.revokeUsed", { environment: "Production" })).toEqual([
      "Last used ",
      { tag: "when", parts: [{ tag: "time", parts: [] }] },
      " in Production.",
    ]);
    expect(split("common.save")).toEqual(["Save"]);
  });

  it("takes a value that looks like a tag as plain text", () => {
    const name = "<b>x</b><name>";
    expect(split("projects.typeName", { name })).toEqual([
      "Type ",
      { tag: "name", parts: [name] },
      " to confirm",
    ]);
  });
});
