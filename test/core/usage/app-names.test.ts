import { describe, expect, it } from "vitest";
import { AppNames, MAX_NAMED_APPS } from "../../../src/core/usage/app-names.ts";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { MAX_APPS, OTHER_APP } from "../../../src/core/usage/message-types.ts";

/** Names an environment's applications `app-0`, `app-1` and so on, and returns the resolved names. */
const nameMany = (names: AppNames, count: number, isPublic: boolean) =>
  Array.from({ length: count }, (_, n) => names.resolve(1, `app-${n}`, isPublic, 1));

describe("the name of an application", () => {
  it("is kept for the first 50 applications of an environment that report without an SDK instance", () => {
    const names = new AppNames();
    const resolved = nameMany(names, MAX_APPS + 2, true);
    expect(resolved.slice(MAX_APPS - 1)).toEqual([`app-${MAX_APPS - 1}`, OTHER_APP, OTHER_APP]);
    expect(names.resolve(2, "app-51", true, 1)).toBe("app-51");
    expect(names.resolve(1, "app-0", true, 1)).toBe("app-0");
  });

  it("is kept for more applications if they report with SDK instances", () => {
    const names = new AppNames();
    nameMany(names, MAX_APPS, true);
    expect(names.resolve(1, "backend", false, 1)).toBe("backend");
    expect(nameMany(names, MAX_NAMED_APPS, false).at(-1)).toBe(OTHER_APP);
  });

  it("no longer counts against the limit of 50 when SDK instances use it, too", () => {
    const names = new AppNames();
    nameMany(names, MAX_APPS, true);
    names.resolve(1, "app-0", false, 1);
    expect(names.resolve(1, "new", true, 1)).toBe("new");
  });

  it("is forgotten seven days after its last report, and survives being stored and read", () => {
    const names = new AppNames();
    names.resolve(1, "old", true, 1);
    names.resolve(1, "new", true, DAY_MS);
    const read = new AppNames();
    read.addAll(names.entries());
    read.forgetOld(7 * DAY_MS + 2);
    expect(read.entries()).toEqual([[1, "new", true, DAY_MS]]);
  });
});
