import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { auditOf, eventsOf } from "../support/records.ts";
import { newFlag, newSubscriber, newWorld } from "../support/world.ts";

let projectId: number;
let ann: number;
let bob: number;
beforeEach(async () => {
  ({ projectId } = await newWorld());
  ann = (await person("DEVELOPER")).id;
  bob = (await person("VIEWER")).id;
});

const put = (id: number, body: object) => asAdmin("PUT", `/api/v1/flags/${id}`, body);
const ownersOf = async (id: number) => (await asAdmin("GET", `/api/v1/flags/${id}`)).body.ownerIds;

describe("the owners of a flag", () => {
  it("are none by default, and are sorted and unique in every representation", async () => {
    expect((await newFlag(projectId)).ownerIds).toEqual([]);
    const { id } = await newFlag(projectId, { ownerIds: [bob, ann, bob] });
    const query = `projectId=${projectId}&ownerId=${ann}`;
    for (const path of [`flags?${query}`, `flags/enriched?${query}`]) {
      const { items } = (await asAdmin("GET", `/api/v1/${path}`)).body;
      expect(items).toMatchObject([{ id, ownerIds: [ann, bob] }]);
    }
  });

  it("are replaced, audited and sent to webhooks, and an equal list changes nothing", async () => {
    await newSubscriber(projectId);
    const { id } = await newFlag(projectId, { ownerIds: [ann] });
    const answer = await put(id, { ownerIds: [bob] });
    expect(answer.body.ownerIds).toEqual([bob]);
    expect(answer.headers.get("X-Revision")).toBeNull();
    const content = { before: { ownerIds: [ann] }, after: { ownerIds: [bob] } };
    expect(await auditOf(answer)).toMatchObject([{ action: "flag.updated", ...content }]);
    const [event] = await eventsOf(answer);
    expect(event.data.flag.ownerIds).toEqual([bob]);
    expect(await auditOf(await put(id, { ownerIds: [bob, bob] }))).toEqual([]);
    await put(id, { name: "Renamed" });
    expect(await ownersOf(id)).toEqual([bob]);
  });

  it("return 404 for an unknown user, and 400 for more than 10 users", async () => {
    const { id } = await newFlag(projectId);
    expect(outcome(await put(id, { ownerIds: [999_999] }))).toBe("404 NOT_FOUND");
    const body = { key: "k", name: "n", flagType: "RELEASE", projectId, ownerIds: [999_999] };
    expect(outcome(await asAdmin("POST", "/api/v1/flags", body))).toBe("404 NOT_FOUND");
    const many = Array.from({ length: 11 }, (_, n) => n + 1);
    expect(invalidFields(await put(id, { ownerIds: many }))).toEqual(["ownerIds"]);
    expect(await ownersOf(id)).toEqual([]);
  });

  it("lose a user who is deleted", async () => {
    const { id } = await newFlag(projectId, { ownerIds: [ann, bob] });
    await asAdmin("DELETE", `/api/v1/users/${ann}`);
    expect(await ownersOf(id)).toEqual([bob]);
  });

  it("are restored by a revert, without users who have been deleted", async () => {
    const { id } = await newFlag(projectId, { ownerIds: [ann, bob] });
    const [record] = await auditOf(await put(id, { ownerIds: [] }));
    await asAdmin("DELETE", `/api/v1/users/${ann}`);
    const answer = await asAdmin("POST", `/api/v1/flags/${id}/revert`, { recordId: record.id });
    expect(answer.body).toMatchObject({ before: { ownerIds: [] }, after: { ownerIds: [bob] } });
    expect(await ownersOf(id)).toEqual([bob]);
  });
});

describe("the names of users", () => {
  it("are returned with the ids of the users, and with nothing else", async () => {
    const { token } = await person("VIEWER");
    const { body } = await call("GET", "/api/v1/users/names", { token });
    const own = body.find(({ id }: Json) => id === ann);
    expect(Object.keys(own)).toEqual(["id", "name"]);
  });

  it("are those of the owners of a project's flags with `ownersIn`", async () => {
    const other = await newWorld();
    await newFlag(other.projectId, { ownerIds: [bob] });
    await newFlag(projectId, { ownerIds: [ann] });
    await newFlag(projectId, { ownerIds: [ann] });
    const { body } = await asAdmin("GET", `/api/v1/users/names?ownersIn=${projectId}`);
    expect(body.map(({ id }: Json) => id)).toEqual([ann]);
  });

  it("are sorted by the rules of Unicode, as owners of a flag and as members of a project, too", async () => {
    const world = await newWorld();
    const names = ["zoe", "Äpfel 9", "Apfel 10", "Apfel 9", "Ökonom", "Öhm"];
    const users = await Promise.all(names.map(() => person("VIEWER")));
    for (const [n, { id }] of users.entries()) {
      await env.DB.prepare("UPDATE users SET name = ? WHERE id = ?").bind(names[n], id).run();
      await asAdmin("PUT", `/api/v1/projects/${world.projectId}/members/${id}`, { role: "VIEWER" });
    }
    const flag = await newFlag(world.projectId, { ownerIds: users.map(({ id }) => id) });
    const listed = await asAdmin("GET", `/api/v1/users/names?ownersIn=${world.projectId}`);
    const members = await asAdmin("GET", `/api/v1/projects/${world.projectId}/members`);
    const { related } = (await asAdmin("GET", `/api/v1/flags/${flag.id}?related=true`)).body;
    const namesIn = (list: Json) => list.map(({ name }: Json) => name);
    const sorted = ["Apfel 9", "Äpfel 9", "Apfel 10", "Öhm", "Ökonom", "zoe"];
    expect(namesIn(related.owners)).toEqual(sorted);
    expect(namesIn(listed.body)).toEqual(sorted);
    expect(namesIn(members.body)).toEqual(sorted);
  });
});
