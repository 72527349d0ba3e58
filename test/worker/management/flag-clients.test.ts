import { beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../support/client.ts";
import { asAdmin, expectRefused, invalidFields, outcome } from "../support/outcomes.ts";
import { apply, newShop } from "../support/files.ts";
import { person } from "../support/people.ts";
import { auditOf, eventsOf, revisionOf } from "../support/records.ts";
import {
  newEnvironment,
  newFlag,
  newProject,
  newSubscriber,
  setStrategy,
} from "../support/world.ts";

let projectId: number;
/** The ids of two environments of the project. */
let live: number;
let staging: number;
beforeEach(async () => {
  projectId = (await newProject()).id;
  live = (await newEnvironment(projectId)).id;
  staging = (await newEnvironment(projectId)).id;
});

const put = (id: number, body: object, headers = {}, query = "") =>
  asAdmin("PUT", `/api/v1/flags/${id}${query}`, body, headers);
const read = async (id: number) => (await asAdmin("GET", `/api/v1/flags/${id}`)).body;
const hideNewFlags = () =>
  asAdmin("PUT", `/api/v1/projects/${projectId}`, { newFlagClients: "server" });
const operations = (list: readonly object[], more: object = {}) =>
  asAdmin("POST", "/api/v1/operations", { projectId, operations: list, ...more });

describe("the clients of a new flag", () => {
  it("are all by default, then those of the project, unless the request names them", async () => {
    expect((await newFlag(projectId)).clients).toBe("all");
    expect((await newFlag(projectId, { clients: "server" })).clients).toBe("server");
    const changed = await hideNewFlags();
    expect(changed.body.newFlagClients).toBe("server");
    expect(await auditOf(changed)).toMatchObject([
      { before: { newFlagClients: "all" }, after: { newFlagClients: "server" } },
    ]);
    expect((await newFlag(projectId)).clients).toBe("server");
    expect((await newFlag(projectId, { clients: "all" })).clients).toBe("all");
    const input = { key: "planned", name: "Planned", flagType: "RELEASE" };
    const plan = await operations([{ kind: "flag.create", input }], { dryRun: true });
    expect(plan.body.changes[0].after.clients).toBe("server");
  });

  it("follow the project's setting when both change at once", async () => {
    const [flag] = await Promise.all([newFlag(projectId), hideNewFlags()]);
    expect(["all", "server"]).toContain(flag.clients);
    expect((await newFlag(projectId)).clients).toBe("server");
  });

  it("are those of the source for a clone, and those of the deleted flag after a revert", async () => {
    const { id } = await newFlag(projectId, { key: "source", clients: "server" });
    const copy = { key: "copy", name: "Copy" };
    const clone = await asAdmin("POST", `/api/v1/flags/${id}/clone`, copy);
    expect(clone.body.clients).toBe("server");
    await asAdmin("POST", `/api/v1/flags/${id}/archive`);
    const [record] = await auditOf(await asAdmin("DELETE", `/api/v1/flags/${id}`));
    const path = `/api/v1/flags/${id}/revert`;
    const { body } = await asAdmin("POST", path, { recordId: record.id });
    expect((await read(body.entityId)).clients).toBe("server");
  });
});

describe("a change of the clients of a flag", () => {
  it("is a change of the rules of every environment, audited, sent to webhooks, and can be reverted", async () => {
    await newSubscriber(projectId);
    const { id, key } = await newFlag(projectId);
    const before = [await revisionOf(live), await revisionOf(staging)];
    const answer = await put(id, { clients: "server" });
    expect(answer.body.clients).toBe("server");
    expect([await revisionOf(live), await revisionOf(staging)]).toEqual(
      before.map((revision) => revision + 1),
    );
    const [record] = await auditOf(answer);
    const fields = { before: { clients: "all" }, after: { clients: "server" } };
    expect(record).toMatchObject({ action: "flag.updated", ...fields });
    const [event] = await eventsOf(answer);
    expect(event.data).toMatchObject({ flag: { key, clients: "server" }, changed: ["clients"] });
    expect(await auditOf(await put(id, { clients: "server" }))).toEqual([]);
    const reverted = await asAdmin("POST", `/api/v1/flags/${id}/revert`, { recordId: record.id });
    expect(reverted.body.after).toEqual({ clients: "all" });
    expect((await read(id)).clients).toBe("all");
  });

  it("needs an approval where an environment is protected, and a change request makes it", async () => {
    const { id } = await newFlag(projectId);
    await person("DEVELOPER");
    const reason = { "X-Change-Reason": "Guard" };
    const policy = { requiredApprovals: 1 };
    await asAdmin("PUT", `/api/v1/environments/${live}/protection`, policy, reason);
    const words = "The change needs an approval";
    for (const send of [
      () => put(id, { clients: "server" }),
      () =>
        asAdmin("POST", "/api/v1/flags/bulk", {
          projectId,
          action: "clients",
          clients: "server",
          flags: [{ id }],
        }),
    ])
      await expectRefused(send, "409 APPROVAL_REQUIRED", words);
    const proposed = await put(id, { clients: "server" }, reason, "?propose=true");
    expect(proposed.status).toBe(202);
    const request = await asAdmin("GET", `/api/v1/change-requests/${proposed.body.id}`);
    expect(JSON.stringify(request.body)).toContain('"clients":"server"');
  });

  it("is refused for another word", async () => {
    const { id } = await newFlag(projectId);
    expect(invalidFields(await put(id, { clients: "browser" }))).toEqual(["clients"]);
    const project = { newFlagClients: null };
    const answer = await asAdmin("PUT", `/api/v1/projects/${projectId}`, project);
    expect(invalidFields(answer)).toEqual(["newFlagClients"]);
  });
});

describe("POST /api/v1/flags/bulk with the action clients", () => {
  it("changes many flags in one transaction, and says which were so already", async () => {
    const flags: Json[] = [];
    for (const clients of ["all", "server", "all"])
      flags.push(await newFlag(projectId, { clients }));
    await setStrategy(flags[0].id, { environmentId: live, enabled: true });
    const revision = await revisionOf(live);
    const targets = flags.map(({ id, version }) => ({ id, version }));
    const body = { projectId, action: "clients", clients: "server", flags: targets };
    const answer = await asAdmin("POST", "/api/v1/flags/bulk", body);
    const [one, two, three] = flags.map(({ id }) => id);
    expect(answer.body).toEqual({ changed: [one, three], unchanged: [two] });
    expect(await revisionOf(live)).toBe(revision + 1);
    expect((await read(three)).clients).toBe("server");
    const refused = () => asAdmin("POST", "/api/v1/flags/bulk", { ...body, clients: "all" });
    await expectRefused(refused, "412 CONFLICT", "These flags have changed");
    const wrong = await asAdmin("POST", "/api/v1/flags/bulk", { ...body, clients: undefined });
    expect(outcome(wrong)).toBe("400 VALIDATION_ERROR");
  });
});

describe("the file of a project", () => {
  it("names the clients of a flag that differ from the project's default", async () => {
    await newFlag(projectId, { key: "open" });
    await newFlag(projectId, { key: "hidden", clients: "server" });
    const named = async () => {
      const { flags } = (await asAdmin("GET", `/api/v1/projects/${projectId}/export`)).body;
      return [flags.open.clients, flags.hidden.clients];
    };
    expect(await named()).toEqual([undefined, "server"]);
    await hideNewFlags();
    expect(await named()).toEqual(["all", undefined]);
  });

  it("changes the clients that it names, owns them, and leaves others alone", async () => {
    const shop = await newShop();
    await newFlag(shop.id, { key: "open" });
    await newFlag(shop.id, { key: "hidden", clients: "server" });
    const flags = {
      open: { flagType: "RELEASE", clients: "server" },
      hidden: { flagType: "RELEASE" },
      fresh: { name: "Fresh", flagType: "RELEASE" },
    };
    expect(outcome(await apply(shop, { manager: "repo", flags }))).toBe("200");
    const { items } = (await asAdmin("GET", `/api/v1/flags?projectId=${shop.id}`)).body;
    expect(items.map((flag: Json) => [flag.key, flag.clients])).toEqual([
      ["open", "server"],
      ["hidden", "server"],
      ["fresh", "all"],
    ]);
    const path = `/api/v1/flags/${items[0].id}?related=true`;
    const [{ manager, fields }] = (await asAdmin("GET", path)).body.related.managedBy;
    expect([manager, fields]).toEqual(["repo", ["clients"]]);
  });
});
