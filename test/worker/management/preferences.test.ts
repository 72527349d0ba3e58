import { describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { wholeDatabase } from "../support/records.ts";
import { newFlag, newProject, newWorld } from "../support/world.ts";

const path = "/api/v1/auth/me/preferences";

/** Creates a viewer and a project. Returns functions that call the API as this user. */
async function userWithProject() {
  const { token } = await person("VIEWER");
  const { id: projectId } = (await newProject()) as { id: number };
  return {
    projectId,
    token,
    read: async () => (await call("GET", `${path}?projectId=${projectId}`, { token })).body,
    change: (change: string, more: object = {}) =>
      call("POST", path, { token, body: { change, projectId, ...more } }),
  };
}

const flagsOf = async (projectId: number, count: number): Promise<Json[]> => {
  const flags = [];
  for (let n = 0; n < count; n++) flags.push(await newFlag(projectId));
  return flags;
};
const short = ({ id, key, name }: Json) => ({ id, key, name });

describe("the preferences of a user", () => {
  it("are empty at first", async () => {
    const { read } = await userWithProject();
    expect(await read()).toEqual({ favourites: [], recent: [], filters: [], columns: null });
  });

  it("keep favourites, recent flags, filters and columns, and return all of them after each change", async () => {
    const { projectId, read, change } = await userWithProject();
    const [one, two] = await flagsOf(projectId, 2);
    await change("addFavourite", { flagId: one.id });
    await change("addFavourite", { flagId: two.id });
    await change("removeFavourite", { flagId: one.id });
    await change("addRecent", { flagId: one.id });
    await change("addRecent", { flagId: two.id });
    await change("addRecent", { flagId: one.id });
    await change("saveFilter", { name: "Stale", query: "stale=true" });
    await change("saveFilter", { name: "Mine", query: "tag=mine" });
    await change("saveFilter", { name: "Stale", query: "stale=true&sort=-createdAt" });
    const last = await change("setColumns", { columns: ["lastUsedAt", "environment-3"] });
    expect(last.status).toBe(200);
    expect(last.body).toEqual(await read());
    expect(last.body).toEqual({
      favourites: [short(two)],
      recent: [short(one), short(two)],
      filters: [
        { name: "Mine", query: "tag=mine" },
        { name: "Stale", query: "stale=true&sort=-createdAt" },
      ],
      columns: ["lastUsedAt", "environment-3"],
    });
    await change("deleteFilter", { name: "Mine" });
    expect((await change("setColumns", { columns: null })).body).toMatchObject({
      filters: [{ name: "Stale" }],
      columns: null,
    });
  });

  it("keep the 20 flags that were opened last", async () => {
    const { projectId, change } = await userWithProject();
    const flags = await flagsOf(projectId, 22);
    let answer;
    for (const { id } of flags) answer = await change("addRecent", { flagId: id });
    expect(answer?.body.recent).toEqual(flags.map(short).toReversed().slice(0, 20));
  });

  it("lose nothing when several tabs change them at the same time", async () => {
    const { projectId, read, change } = await userWithProject();
    const flags = await flagsOf(projectId, 8);
    const answers = await Promise.all([
      ...flags.map(({ id }) => change("addFavourite", { flagId: id })),
      ...flags.map(({ id }) => change("saveFilter", { name: `filter ${id}`, query: "" })),
      change("setColumns", { columns: ["createdAt"] }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(17).fill(200));
    const { favourites, filters, columns } = await read();
    expect([favourites.length, filters.length, columns]).toEqual([8, 8, ["createdAt"]]);
  });

  it("lose a flag that is deleted, and show the new name of a flag that is renamed", async () => {
    const { projectId, read, change } = await userWithProject();
    const [gone, renamed] = await flagsOf(projectId, 2);
    for (const { id } of [gone, renamed]) {
      await change("addFavourite", { flagId: id });
      await change("addRecent", { flagId: id });
    }
    await asAdmin("POST", `/api/v1/flags/${gone.id}/archive`);
    await asAdmin("DELETE", `/api/v1/flags/${gone.id}`);
    await asAdmin("PUT", `/api/v1/flags/${renamed.id}`, { name: "Other" });
    const left = [{ id: renamed.id, key: renamed.key, name: "Other" }];
    expect(await read()).toMatchObject({ favourites: left, recent: left });
  });

  it("belong to one user and one project", async () => {
    const { projectId, change, token } = await userWithProject();
    const [flag] = await flagsOf(projectId, 1);
    await change("addFavourite", { flagId: flag.id });
    const mine = await asAdmin("GET", `${path}?projectId=${projectId}`);
    const other = await newProject();
    const there = await call("GET", `${path}?projectId=${other.id}`, { token });
    expect([mine.body.favourites, there.body.favourites]).toEqual([[], []]);
  });

  it("are deleted with the project", async () => {
    const { projectId, read, change, token } = await userWithProject();
    await change("saveFilter", { name: "f", query: "" });
    expect((await asAdmin("DELETE", `/api/v1/projects/${projectId}`)).status).toBe(204);
    expect(outcome(await call("GET", `${path}?projectId=${projectId}`, { token }))).toBe(
      "404 NOT_FOUND",
    );
    expect(await read()).toMatchObject({ code: "NOT_FOUND" });
    expect((await wholeDatabase())["user_preferences"]).not.toContainEqual(
      expect.objectContaining({ project_id: projectId }),
    );
  });
});

describe("a change of preferences", () => {
  it("returns 404 for a flag that the project does not have, and for an unknown project", async () => {
    const { change } = await userWithProject();
    const foreign = await newFlag((await newProject()).id);
    for (const flagId of [foreign.id, 999_999_999])
      for (const verb of ["addFavourite", "addRecent"])
        expect(outcome(await change(verb, { flagId }))).toBe("404 NOT_FOUND");
    const unknown = await change("saveFilter", { name: "f", query: "", projectId: 999_999_999 });
    expect(outcome(unknown)).toBe("404 NOT_FOUND");
  });

  it("returns 409 for the 51st saved filter, but replaces a saved filter", async () => {
    const { change } = await userWithProject();
    const save = (n: number, query = "") => change("saveFilter", { name: `f${n}`, query });
    for (let n = 0; n < 50; n++) await save(n);
    const refused = await save(50);
    expect(outcome(refused)).toBe("409 CONFLICT");
    expect(refused.body.error).toContain("at most 50 saved filters");
    const { body } = await save(7, "tag=x");
    expect(body.filters).toHaveLength(50);
    expect(body.filters).toContainEqual({ name: "f7", query: "tag=x" });
  });

  it("renames a saved filter, and returns 409 for a name in use and 404 for an unknown filter", async () => {
    const { change, read } = await userWithProject();
    const rename = (name: string, newName: string) => change("renameFilter", { name, newName });
    await change("saveFilter", { name: "a", query: "tag=a" });
    await change("saveFilter", { name: "b", query: "tag=b" });
    const { body } = await rename("a", "c");
    expect(body.filters).toEqual([
      { name: "b", query: "tag=b" },
      { name: "c", query: "tag=a" },
    ]);
    expect((await rename("c", "c")).status).toBe(200);
    expect(outcome(await rename("c", "b"))).toBe("409 CONFLICT");
    expect(outcome(await rename("a", "d"))).toBe("404 NOT_FOUND");
    expect(await read()).toEqual(body);
  });

  it.each<[string, object, string]>([
    ["an unknown verb", { change: "addEverything" }, "change"],
    ["a favourite without a flag", { change: "addFavourite" }, "flagId"],
    ["a filter without a name", { change: "saveFilter", name: "", query: "" }, "name"],
    ["a long query", { change: "saveFilter", name: "f", query: "x".repeat(4001) }, "query"],
    ["101 columns", { change: "setColumns", columns: Array(101).fill("c") }, "columns"],
  ])("returns 400 with %s", async (_, body, field) => {
    const answer = await asAdmin("POST", path, { projectId: 1, ...body });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer)).toEqual([field]);
  });
});

describe("the filter `favourite` of the lists of flags", () => {
  it("lists the caller's favourites only, and none for an API key", async () => {
    const { projectId, environmentId, apiKey } = await newWorld();
    const { token } = await person("DEVELOPER");
    const [one, two] = await flagsOf(projectId, 2);
    const add = (flagId: number, as: string) =>
      call("POST", path, { token: as, body: { change: "addFavourite", projectId, flagId } });
    await add(two.id, token);
    await asAdmin("POST", path, { change: "addFavourite", projectId, flagId: one.id });
    const lists = [
      `/api/v1/flags?projectId=${projectId}`,
      `/api/v1/flags/enriched?projectId=${projectId}`,
      `/api/v1/flags/by-environment?environmentId=${environmentId}`,
    ];
    const idsIn = async (list: string, as: string) =>
      (await call("GET", `${list}&favourite=true`, { token: as })).body.items.map(
        ({ id }: Json) => id,
      );
    for (const list of lists)
      expect([list, await idsIn(list, token), await idsIn(list, apiKey)]).toEqual([
        list,
        [two.id],
        [],
      ]);
  });
});
