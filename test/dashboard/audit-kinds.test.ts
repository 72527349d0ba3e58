import { describe, expect, it } from "vitest";
import { validateAuditSearch } from "../../dashboard/src/features/audit/search-params.ts";
import { messages as german } from "../../dashboard/src/shared/i18n/de/index.ts";
import { messages as english } from "../../dashboard/src/shared/i18n/en/index.ts";
import { AUDIT_ACTIONS } from "../../src/core/audit/actions.ts";
import { ENTITY_TYPES } from "../../src/db/schema/records.ts";

// Imports without types: the types of React, which the icons have, replace those of the browser that
// other tests use.
const KINDS_FILE: string = "../../dashboard/src/features/audit/kinds.ts";
const { KINDS, kindsToFilter } = (await import(KINDS_FILE)) as {
  readonly KINDS: Readonly<Record<string, { readonly Icon: object }>>;
  readonly kindsToFilter: (isProject: boolean, chosen: string | undefined) => readonly string[];
};

describe("a kind of audit records that the service writes", () => {
  it.each(ENTITY_TYPES)(
    "has an icon, a text in each language, and is in the filter: %s",
    (kind) => {
      expect(KINDS[kind]?.Icon).toBeDefined();
      for (const { history } of [english, german]) expect(history.things[kind]).toMatch(/\w/);
      expect(kindsToFilter(false, undefined)).toContain(kind);
    },
  );
});

describe("the texts of audit actions", () => {
  // The text of an update consists of the fields that have changed.
  const withText = AUDIT_ACTIONS.filter((action) => !action.endsWith(".updated"));

  it.each([
    ["en", english],
    ["de", german],
  ] as const)("are those of the actions that the service writes: %s", (_, { history }) => {
    const keys = withText.map((action) => action.replaceAll(".", "-"));
    expect(Object.keys(history.did).toSorted()).toEqual(keys.toSorted());
  });
});

describe("a kind of audit records in the address", () => {
  it("is in the filter although this release does not know it", () => {
    expect(validateAuditSearch({ type: "experiment", id: 3 })).toMatchObject({
      type: "experiment",
      id: 3,
    });
    expect(kindsToFilter(true, "experiment").at(-1)).toBe("experiment");
  });

  it("is in the filter of a project although only the whole service has such records", () => {
    expect(kindsToFilter(true, undefined)).not.toContain("settings");
    expect(kindsToFilter(true, "settings")).toContain("settings");
  });

  it.each([3, "", "No kind", "x".repeat(101)])("is ignored if it is no word: %j", (type) => {
    expect(validateAuditSearch({ type, id: 3 })).toMatchObject({ type: undefined, id: undefined });
  });
});
