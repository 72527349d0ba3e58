import { describe, expect, it } from "vitest";
import { circlesOf, isUpward, roomOf } from "../../scripts/lib/rooms.ts";

describe("rooms of src", () => {
  it("finds the rooms of a circle, and no others", () => {
    const graph = new Map([
      ["routes", new Set(["service"])],
      ["service", new Set(["queries", "mails"])],
      ["mails", new Set(["service"])],
      ["queries", new Set<string>()],
    ]);
    expect(circlesOf(graph).map((rooms) => rooms.toSorted())).toEqual([["mails", "service"]]);
  });

  it("allows an import of a lower floor and refuses one of a higher floor", () => {
    const [row, verb] = ["src/model/tags/queries.ts", "src/management/tags/service.ts"];
    expect(isUpward(verb, row)).toBe(false);
    expect(isUpward(row, verb)).toBe(true);
    expect(isUpward("src/app.ts", verb)).toBe(false);
  });

  it("counts a folder of a floor as a room, and the files of the floor itself as another room", () => {
    expect(roomOf("src/changes/plan/work.ts")).toBe("changes/plan");
    expect(roomOf("src/changes/execute.ts")).toBe("changes");
  });
});
