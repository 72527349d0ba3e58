import { describe, expect, it } from "vitest";
import { type Answer, type CallOptions, type Json, call } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { auditOf, eventsOf, revisionOf, wholeDatabase } from "../support/records.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  newSubscriber,
  newTag,
  newWorld,
  setStrategy,
  unique,
} from "../support/world.ts";

/** Returns the id of the newest audit record about a flag or segment. */
async function lastRecord(entityType: string, entityId: number): Promise<number> {
  const query = `entityType=${entityType}&entityId=${entityId}&size=1`;
  return (await asAdmin("GET", `/api/v1/audit?${query}`)).body.items[0].id;
}

const auditRecord = async (id: number): Promise<Json> =>
  (await asAdmin("GET", `/api/v1/audit?beforeId=${id + 1}&size=1`)).body.items[0];

const revertOf =
  (path: (id: number) => string) =>
  (id: number, recordId: number, query = "", headers: CallOptions["headers"] = {}) =>
    asAdmin("POST", `/api/v1/${path(id)}/revert${query}`, { recordId }, headers);
const revertFlag = revertOf((id) => `flags/${id}`);
const revertStrategy = revertOf((id) => `flags/${id}/strategies`);
const revertSegment = revertOf((id) => `segments/${id}`);

/** Sends a request that must succeed, and returns the body of the response. */
async function done(method: string, path: string, body?: object): Promise<Json> {
  const answer = await asAdmin(method, `/api/v1/${path}`, body);
  if (answer.status >= 300) throw new Error(`${path}: ${outcome(answer)}`);
  return answer.body;
}

const change = (flagId: number, body: object) => done("PUT", `flags/${flagId}`, body);

/** Changes a flag or strategy, and returns the id of the audit record. */
async function recorded(flagId: number, make: () => Promise<unknown>): Promise<number> {
  await make();
  return lastRecord("flag", flagId);
}

const error = (answer: Answer<Json>) => [outcome(answer), answer.body.error];

describe("the revert of a strategy", () => {
  const variants = ["blue", "red", "green"].map((key) => ({ key, value: key }));
  const read = async (flagId: number, environmentId: number) => {
    const strategy = await done("GET", `flags/${flagId}/strategies/${environmentId}`);
    const { version: _, updatedAt: _at, ...content } = strategy;
    return content;
  };

  it("restores rules with their ids, slots and segments as they were before the record, in its environment only", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id } = await newFlag(projectId, { valueType: "string", variants });
    const segment = await newSegment(projectId, [inCountries("de")]);
    const rule = {
      name: "Staff",
      segmentIds: [segment.id],
      serve: { weights: { blue: 20, red: 80 } },
    };
    const first = await setStrategy(id, {
      environmentId,
      enabled: true,
      exactPercentage: 12.5,
      rules: [rule],
    });
    const serve = { weights: { blue: 50, red: 30, green: 20 } };
    const rules = [{ ...rule, id: first.rules[0].id, serve }];
    await setStrategy(id, { environmentId, rules });
    const other = await newEnvironment(projectId);
    await setStrategy(id, { environmentId: other.id, percentage: 7 });
    const earlier = await read(id, environmentId);
    const record = await recorded(id, () =>
      setStrategy(id, { environmentId, enabled: false, percentage: 90, rules: [] }),
    );
    await setStrategy(id, {
      environmentId,
      constraints: [inCountries("at")],
      stickiness: "userId",
    });
    const answer = await revertStrategy(id, record);
    expect(answer.status).toBe(200);
    expect(await read(id, environmentId)).toEqual(earlier);
    expect(await read(id, other.id)).toMatchObject({ percentage: 7 });
    expect(answer.body.before).toMatchObject({ enabled: false, rules: [], stickiness: "userId" });
    expect(answer.body.after).toMatchObject({
      enabled: true,
      exactPercentage: 12.5,
      constraints: [],
    });
  });

  it("is proposed with propose=true: the change request restores the rules with their ids and slots", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id } = await newFlag(projectId, { valueType: "string", variants });
    const rules = [{ name: "Staff", serve: { weights: { blue: 20, red: 80 } } }];
    await setStrategy(id, { environmentId, enabled: true, exactPercentage: 12.5, rules });
    const earlier = await read(id, environmentId);
    const serve = { weights: { blue: 50, red: 30, green: 20 } };
    const record = await recorded(id, () =>
      setStrategy(id, { environmentId, percentage: 90, rules: [], serve }),
    );
    const reason = { "X-Change-Reason": "Back" };
    const old = await revertStrategy(id, record, "?propose=true", { ...reason, "If-Match": '"1"' });
    expect(outcome(old)).toBe("412 CONFLICT");
    const { status, body } = await revertStrategy(id, record, "?propose=true", reason);
    expect(status).toBe(202);
    expect(body).toMatchObject({
      title: "Back",
      operations: [{ kind: "strategy.set", change: { exactPercentage: 12.5 } }],
    });
    expect(await read(id, environmentId)).toMatchObject({ percentage: 90, rules: [] });
    const headers = { "If-Match": `"${body.hash}"` };
    const path = `/api/v1/change-requests/${body.id}`;
    await asAdmin("POST", `${path}/apply`, {}, headers);
    expect(await read(id, environmentId)).toEqual(earlier);
  });

  it("is one change with an audit record that names the record and the reason, an event and a revision, and can be reverted", async () => {
    const { projectId, environmentId } = await newWorld();
    await newSubscriber(projectId);
    const { id } = await newFlag(projectId);
    const record = await recorded(id, () => setStrategy(id, { environmentId, enabled: true }));
    const revision = await revisionOf(environmentId);
    const answer = await revertStrategy(id, record, "", { "X-Change-Reason": "OPS-1" });
    const { recordId, ...difference } = answer.body;
    const content = { before: { enabled: true }, after: { enabled: false } };
    expect(difference).toEqual({ entityId: id, ...content });
    expect(await auditRecord(recordId)).toMatchObject({
      action: "strategy.updated",
      revertsId: record,
      reason: "OPS-1",
      environmentId,
      ...content,
    });
    expect(await auditOf(answer)).toHaveLength(1);
    expect((await eventsOf(answer)).map(({ type }) => type)).toEqual(["flag.updated"]);
    expect(answer.headers.get("X-Revision")).toBe(String(revision + 1));
    expect(answer.headers.get("ETag")).toBe('"2"');
    expect((await auditRecord(record)).revertsId).toBeNull();
    await revertStrategy(id, recordId);
    expect(await read(id, environmentId)).toMatchObject({ enabled: true });
  });

  it("previews the difference in a dry run without a write, and returns 412 if the strategy has changed since", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id } = await newFlag(projectId);
    const record = await recorded(id, () => setStrategy(id, { environmentId, percentage: 5 }));
    await setStrategy(id, { environmentId, percentage: 10, enabled: true });
    const before = await wholeDatabase();
    const preview = await revertStrategy(id, record, "?dryRun=true");
    expect(preview.body).toEqual({
      entityId: id,
      before: { enabled: true, percentage: 10 },
      after: { enabled: false, percentage: 100 },
      recordId: null,
    });
    expect(await wholeDatabase()).toEqual(before);
    const etag = preview.headers.get("ETag") ?? "";
    const apply = () => revertStrategy(id, record, "", { "If-Match": etag });
    const { before: from, after: to } = preview.body;
    expect((await apply()).body).toMatchObject({ before: from, after: to });
    expect(outcome(await apply())).toBe("412 CONFLICT");
  });

  it("leaves no trace if nothing differs", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id } = await newFlag(projectId);
    const record = await recorded(id, () => setStrategy(id, { environmentId, percentage: 5 }));
    await setStrategy(id, { environmentId, percentage: 100 });
    const answer = await revertStrategy(id, record);
    expect(answer.body).toEqual({ entityId: id, before: {}, after: {}, recordId: null });
    expect(await auditOf(answer)).toEqual([]);
  });

  it("returns 409 with the names of deleted segments and removed variants, and writes nothing", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id } = await newFlag(projectId, { valueType: "string", variants });
    const segment = await newSegment(projectId, []);
    const constraints = [inCountries("de")];
    await setStrategy(id, { environmentId, segmentIds: [segment.id], constraints });
    const ofSegment = await recorded(id, () => setStrategy(id, { environmentId, segmentIds: [] }));
    await done("DELETE", `segments/${segment.id}`);
    await setStrategy(id, { environmentId, serve: { variant: "green" } });
    const ofVariant = await recorded(id, () =>
      setStrategy(id, { environmentId, serve: { variant: "blue" }, constraints: [] }),
    );
    await change(id, { variants: variants.slice(0, 2) });
    const before = await read(id, environmentId);
    expect(error(await revertStrategy(id, ofSegment))).toEqual([
      "409 CONFLICT",
      `The earlier state uses segments that no longer exist: ${segment.name}`,
    ]);
    expect(error(await revertStrategy(id, ofVariant))).toEqual([
      "409 CONFLICT",
      "The earlier state serves variants that the flag no longer has: green",
    ]);
    expect(await read(id, environmentId)).toEqual(before);
  });

  it("returns 404 for a record of another flag or of a deleted environment, and 409 for the record of a creation", async () => {
    const { projectId, environmentId } = await newWorld();
    const [one, other] = [await newFlag(projectId), await newFlag(projectId)];
    const set = () => setStrategy(one.id, { environmentId, percentage: 5 });
    const record = await recorded(one.id, set);
    expect(outcome(await revertStrategy(other.id, record))).toBe("404 NOT_FOUND");
    const creation = await lastRecord("flag", other.id);
    expect(outcome(await revertStrategy(other.id, creation))).toBe("409 CONFLICT");
    const doomed = await newEnvironment(projectId);
    const lost = await recorded(one.id, () =>
      setStrategy(one.id, { environmentId: doomed.id, percentage: 5 }),
    );
    await done("DELETE", `environments/${doomed.id}`);
    expect(outcome(await revertStrategy(one.id, lost))).toBe("404 NOT_FOUND");
  });

  it("restores a long list of values that the audit trail does not repeat", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id } = await newFlag(projectId);
    const values = Array.from({ length: 500 }, (_, n) => String(n).padStart(200, "c"));
    const listing = (...listed: string[]) => ({
      environmentId,
      constraints: [inCountries(...listed)],
    });
    const first = await recorded(id, () => setStrategy(id, listing(...values)));
    const record = await recorded(id, () => setStrategy(id, listing("new", ...values.slice(1))));
    await setStrategy(id, listing(...values.slice(2)));
    await revertStrategy(id, record);
    expect((await read(id, environmentId)).constraints).toEqual([inCountries(...values)]);
    const emptied = await recorded(id, () => setStrategy(id, listing("at")));
    expect(error(await revertStrategy(id, emptied))).toEqual([
      "409 CONFLICT",
      "The earlier state cannot be restored, because it was too large for the audit trail: constraints",
    ]);
    expect((await revertStrategy(id, first)).body.after).toEqual({ constraints: [] });
  });

  it("succeeds with an API key of the environment, and returns 403 with a key of another environment or project", async () => {
    const { projectId, environmentId, apiKey } = await newWorld();
    const other = await newEnvironment(projectId);
    const { id } = await newFlag(projectId);
    const own = await recorded(id, () => setStrategy(id, { environmentId, percentage: 5 }));
    const foreign = await recorded(id, () =>
      setStrategy(id, { environmentId: other.id, percentage: 5 }),
    );
    const withKey = (recordId: number) =>
      call("POST", `/api/v1/flags/${id}/strategies/revert`, { token: apiKey, body: { recordId } });
    expect((await withKey(own)).status).toBe(200);
    expect(outcome(await withKey(foreign))).toBe("403 FORBIDDEN");
    const elsewhere = await newWorld();
    const flag = await newFlag(elsewhere.projectId);
    const record = await recorded(flag.id, () =>
      setStrategy(flag.id, { environmentId: elsewhere.environmentId, percentage: 5 }),
    );
    const path = `/api/v1/flags/${flag.id}/strategies/revert`;
    const answer = await call("POST", path, { token: apiKey, body: { recordId: record } });
    expect(outcome(answer)).toBe("403 FORBIDDEN");
  });
});

describe("the revert of a flag", () => {
  it("restores its name, description, tags, variants and prerequisites, and not its strategies", async () => {
    const { projectId, environmentId } = await newWorld();
    const [required, tag] = [await newFlag(projectId), await newTag(projectId)];
    const variants = ["a", "b"].map((key) => ({ key, value: key }));
    const { id } = await newFlag(projectId, {
      valueType: "string",
      variants,
      offVariant: "a",
      valueSchema: { enum: ["a", "b"] },
      tags: ["one", { tagId: tag.id, value: "two" }],
      prerequisites: [{ flagKey: required.key }],
      description: "Before",
    });
    const { updatedAt: _, version: _v, ...earlier } = await done("GET", `flags/${id}`);
    const record = await recorded(id, () => change(id, { name: "Renamed", tags: ["three"] }));
    await change(id, {
      description: null,
      prerequisites: [],
      valueSchema: null,
      variants: [...variants, { key: "c", value: "other" }],
      offVariant: "c",
    });
    await setStrategy(id, { environmentId, enabled: true });
    const answer = await revertFlag(id, record);
    expect(answer.status).toBe(200);
    const { updatedAt: _u, version: _w, ...restored } = await done("GET", `flags/${id}`);
    expect(restored).toEqual({ ...earlier, enabled: true });
    expect(Object.keys(answer.body.after).toSorted()).toEqual([
      "description",
      "name",
      "offVariant",
      "prerequisites",
      "tags",
      "valueSchema",
      "variants",
    ]);
    expect(await auditRecord(answer.body.recordId)).toMatchObject({
      action: "flag.updated",
      revertsId: record,
    });
  });

  it("restores values that look like the markers of the audit trail, which its records escape", async () => {
    const { id: projectId } = await newProject();
    const values = [[{ $unchanged: 200_000_000 }], { $cut: { bytes: 1, sha256: "x" } }, "x"];
    const [first, ...others] = values.map((value) => [{ key: "a", value }]);
    const { id } = await newFlag(projectId, { valueType: "json", variants: first });
    const records: number[] = [];
    for (const variants of others) records.push(await recorded(id, () => change(id, { variants })));
    expect(await auditRecord(records[0] ?? 0)).toMatchObject({
      before: { variants: [{ value: [{ $$unchanged: 200_000_000 }] }] },
      after: { variants: [{ value: { $$cut: { bytes: 1, sha256: "x" } } }] },
    });
    expect((await revertFlag(id, records[1] ?? 0)).body.after).toEqual({ variants: others[0] });
    expect((await revertFlag(id, records[0] ?? 0)).body.after).toEqual({ variants: first });
  });

  it("archives and unarchives only with the record of an archiving or unarchiving", async () => {
    const { projectId } = await newWorld();
    await newSubscriber(projectId);
    const { id } = await newFlag(projectId);
    const renamed = await recorded(id, () => change(id, { name: "Renamed" }));
    const archived = await recorded(id, () => done("POST", `flags/${id}/archive`));
    expect((await revertFlag(id, renamed)).body.after).toEqual({ name: "A flag" });
    expect(await done("GET", `flags/${id}`)).toMatchObject({ archived: true, name: "A flag" });
    const answer = await revertFlag(id, archived);
    expect(answer.body).toMatchObject({ before: { archived: true }, after: { archived: false } });
    expect((await eventsOf(answer)).map(({ type }) => type)).toEqual(["flag.unarchived"]);
    const unarchived = answer.body.recordId;
    expect((await revertFlag(id, unarchived)).body.after).toEqual({ archived: true });
  });

  it("previews the difference in a dry run, and returns 412 if the flag has changed since", async () => {
    const { projectId } = await newWorld();
    const { id } = await newFlag(projectId);
    const record = await recorded(id, () => change(id, { name: "Renamed", tags: ["new"] }));
    const before = await wholeDatabase();
    const preview = await revertFlag(id, record, "?dryRun=true");
    expect(preview.body).toEqual({
      entityId: id,
      before: { name: "Renamed", tags: ["new"] },
      after: { name: "A flag", tags: [] },
      recordId: null,
    });
    expect(await wholeDatabase()).toEqual(before);
    await change(id, { name: "Again" });
    const headers = { "If-Match": preview.headers.get("ETag") ?? "" };
    expect(outcome(await revertFlag(id, record, "", headers))).toBe("412 CONFLICT");
    expect(await done("GET", `flags/${id}`)).toMatchObject({ name: "Again", tags: ["new"] });
  });

  it("returns 409 with the tags and prerequisites of the earlier state that no longer exist", async () => {
    const { projectId } = await newWorld();
    const [required, tag] = [await newFlag(projectId), await newTag(projectId)];
    const { id } = await newFlag(projectId, { prerequisites: [{ flagKey: required.key }] });
    const record = await recorded(id, () => change(id, { prerequisites: [] }));
    await change(id, { tags: [{ tagId: tag.id, value: "checkout" }] });
    const tagged = await recorded(id, () => change(id, { tags: [] }));
    await done("DELETE", `tags/${tag.id}`);
    await done("POST", `flags/${required.id}/archive`);
    await done("DELETE", `flags/${required.id}`);
    expect(error(await revertFlag(id, tagged))).toEqual([
      "409 CONFLICT",
      "The earlier state has tags that no longer exist: checkout",
    ]);
    expect(error(await revertFlag(id, record))).toEqual([
      "409 CONFLICT",
      `The earlier state cannot be restored: prerequisites.0.flagKey "${required.key}" is not a flag of the project`,
    ]);
    expect(await done("GET", `flags/${id}`)).toMatchObject({ prerequisites: [], tags: [] });
  });

  it("returns 409 if it would remove a variant that a strategy serves by now", async () => {
    const { projectId, environmentId } = await newWorld();
    const variants = ["a", "b"].map((key) => ({ key, value: key }));
    const { id } = await newFlag(projectId, {
      valueType: "string",
      variants: variants.slice(0, 1),
    });
    const record = await recorded(id, () => change(id, { variants }));
    await setStrategy(id, { environmentId, serve: { variant: "b" } });
    expect(outcome(await revertFlag(id, record, "?dryRun=true"))).toBe("409 CONFLICT");
    expect(outcome(await revertFlag(id, record))).toBe("409 CONFLICT");
  });

  it("creates a deleted flag again, archived and off, with its content and tags", async () => {
    const { projectId, environmentId } = await newWorld();
    await newSubscriber(projectId);
    const variants = [{ key: "a", value: { nested: [1] } }];
    const flag = await newFlag(projectId, { valueType: "json", variants, tags: ["one"] });
    await setStrategy(flag.id, { environmentId, enabled: true });
    await done("POST", `flags/${flag.id}/archive`);
    await done("DELETE", `flags/${flag.id}`);
    const record = await lastRecord("flag", flag.id);
    const preview = await revertFlag(flag.id, record, "?dryRun=true");
    expect(preview.body).toMatchObject({ before: null, recordId: null });
    const answer = await revertFlag(flag.id, record);
    const { entityId, recordId } = answer.body;
    expect(entityId).toBeGreaterThan(flag.id);
    expect(await done("GET", `flags/${entityId}`)).toMatchObject({
      key: flag.key,
      variants,
      tags: ["one"],
      archived: true,
    });
    const [strategy] = await done("GET", `flags/${entityId}/strategies`);
    expect(strategy).toMatchObject({ enabled: false, version: 0 });
    expect(await auditRecord(recordId)).toMatchObject({
      action: "flag.created",
      entityId,
      revertsId: record,
      after: { archived: true },
    });
    expect((await eventsOf(answer)).map(({ type }) => type)).toEqual(["flag.created"]);
    expect(outcome(await revertFlag(flag.id, record))).toBe("409 CONFLICT");
  });

  it("returns 409 for a creation, and 404 for a flag that was deleted with its project", async () => {
    const project = await newProject();
    const flag = await newFlag(project.id);
    const creation = await lastRecord("flag", flag.id);
    expect(error(await revertFlag(flag.id, creation))).toEqual([
      "409 CONFLICT",
      "The audit record has no earlier state to restore; archive the flag instead",
    ]);
    await done("DELETE", `projects/${project.id}`);
    const deletion = await lastRecord("flag", flag.id);
    expect(outcome(await revertFlag(flag.id, deletion))).toBe("404 NOT_FOUND");
    expect(outcome(await revertFlag(flag.id, creation))).toBe("404 NOT_FOUND");
  });
});

describe("the revert of a segment", () => {
  it("restores its name, description and constraints, and changes the flags that use it", async () => {
    const { projectId, environmentId } = await newWorld();
    await newSubscriber(projectId);
    const segment = await newSegment(projectId, [inCountries("de")]);
    const flag = await newFlag(projectId);
    await setStrategy(flag.id, { environmentId, segmentIds: [segment.id] });
    await done("PUT", `segments/${segment.id}`, { constraints: [inCountries("at")] });
    const record = await lastRecord("segment", segment.id);
    await done("PUT", `segments/${segment.id}`, { name: unique("renamed"), description: "new" });
    const revision = await revisionOf(environmentId);
    const answer = await revertSegment(segment.id, record);
    const { name, description, constraints } = segment;
    expect(await done("GET", `segments/${segment.id}`)).toMatchObject({
      name,
      description,
      constraints,
    });
    expect(answer.headers.get("X-Revision")).toBe(String(revision + 1));
    expect((await eventsOf(answer)).map(({ type }) => type)).toEqual(["segment.updated"]);
    expect((await auditRecord(answer.body.recordId)).revertsId).toBe(record);
  });

  it("returns 409 if another segment has taken the name, and 412 for an old version", async () => {
    const { projectId } = await newWorld();
    const segment = await newSegment(projectId, []);
    await done("PUT", `segments/${segment.id}`, { name: unique("renamed") });
    const record = await lastRecord("segment", segment.id);
    const headers = { "If-Match": '"1"' };
    expect(outcome(await revertSegment(segment.id, record, "", headers))).toBe("412 CONFLICT");
    await done("POST", "segments", { name: segment.name, projectId });
    expect(outcome(await revertSegment(segment.id, record))).toBe("409 CONFLICT");
  });

  it("cannot be proposed for a deleted segment, because a change request creates nothing", async () => {
    const segment = await newSegment((await newWorld()).projectId, [inCountries("de")]);
    await done("DELETE", `segments/${segment.id}`);
    const record = await lastRecord("segment", segment.id);
    const reason = { "X-Change-Reason": "Back" };
    const answer = await revertSegment(segment.id, record, "?propose=true", reason);
    expect(outcome(answer)).toBe("400 BAD_REQUEST");
  });

  it("creates a deleted segment again with a new id, and returns 409 for its creation", async () => {
    const { projectId } = await newWorld();
    const segment = await newSegment(projectId, [inCountries("de")]);
    const creation = await lastRecord("segment", segment.id);
    expect(outcome(await revertSegment(segment.id, creation))).toBe("409 CONFLICT");
    await done("DELETE", `segments/${segment.id}`);
    const record = await lastRecord("segment", segment.id);
    const preview = await revertSegment(segment.id, record, "?dryRun=true");
    const { name, description, constraints } = segment;
    const content = { name, description, constraints };
    expect(preview.body).toMatchObject({ before: null, after: content, recordId: null });
    const { entityId, recordId } = (await revertSegment(segment.id, record)).body;
    expect(entityId).toBeGreaterThan(segment.id);
    expect(await done("GET", `segments/${entityId}`)).toMatchObject(content);
    expect(await auditRecord(recordId)).toMatchObject({
      action: "segment.created",
      revertsId: record,
    });
    expect(outcome(await revertSegment(segment.id, record))).toBe("409 CONFLICT");
  });
});
