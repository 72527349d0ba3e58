import { describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminToken, person } from "../support/people.ts";
import { countedCall } from "../support/statements.ts";
import {
  newContext,
  newFlag,
  newIntegration,
  newKey,
  newProject,
  newSegment,
  newTag,
  newValue,
  newWorld,
  setStrategy,
} from "../support/world.ts";

interface Related {
  readonly entityType: string;
  readonly id: number;
  readonly name: string;
  readonly deleted: boolean;
  readonly production?: boolean;
}

const auditOf = async (query: string): Promise<Json> =>
  (await asAdmin("GET", `/api/v1/audit?size=200&related=true&${query}`)).body;

const relatedIn = async (query: string): Promise<Related[]> => (await auditOf(query)).related;

const sorted = (related: readonly Related[]): Related[] =>
  related.toSorted((a, b) => a.entityType.localeCompare(b.entityType) || a.id - b.id);

const named = (entityType: string, { id, name }: Json, deleted = false): Related => ({
  entityType,
  id,
  name,
  deleted,
});

const rename = (path: string, name: string) => asAdmin("PUT", `/api/v1/${path}`, { name });

describe("a page of audit records with related=true", () => {
  it("has the present name of every resource to which the records refer, once", async () => {
    const project = await newProject();
    const projectId = project.id;
    const environment = (
      await asAdmin("POST", "/api/v1/environments", { name: "live", production: true, projectId })
    ).body;
    const segments = [
      await newSegment(projectId, []),
      await newSegment(projectId, []),
      await newSegment(projectId, []),
    ];
    const [own, inRule] = segments;
    const flag = await newFlag(projectId);
    await setStrategy(flag.id, {
      environmentId: environment.id,
      segmentIds: [own.id],
      rules: [{ segmentIds: [inRule.id] }],
    });
    const tag = await newTag(projectId);
    const context = await newContext(projectId);
    const value = await newValue(context.id);
    const key = await newKey(environment.id);
    await rename(`flags/${flag.id}`, "Renamed");
    await rename(`segments/${inRule.id}`, "In a rule");
    const integration = await newIntegration(projectId);
    expect(sorted(await relatedIn(`projectId=${projectId}`))).toEqual(
      sorted([
        named("project", project),
        { ...named("environment", environment), production: true },
        ...segments.map((segment: Json) =>
          named("segment", segment === inRule ? { ...segment, name: "In a rule" } : segment),
        ),
        named("flag", { ...flag, name: "Renamed" }),
        named("tag", tag),
        named("context", context),
        named("context-value", { ...value, name: `${context.contextKey}: ${value.value}` }),
        named("integration", integration),
        named("api-key", key),
      ]),
    );
  });

  it("finds the segments and environments in the contents of the records", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id: segmentId } = await newSegment(projectId, []);
    const { id: flagId } = await newFlag(projectId);
    await setStrategy(flagId, { environmentId, rules: [{ segmentIds: [segmentId] }] });
    const { id: keyId } = await newKey(environmentId);
    const idsOf = async (query: string) =>
      (await relatedIn(query)).map(({ entityType, id }) => `${entityType} ${id}`);
    expect(await idsOf(`entityType=flag&entityId=${flagId}`)).toContain(`segment ${segmentId}`);
    expect(await idsOf(`entityType=api-key&entityId=${keyId}`)).toContain(
      `environment ${environmentId}`,
    );
  });

  it("has the last name of each deleted resource, from its newest record", async () => {
    const { projectId } = await newWorld();
    const flag = await newFlag(projectId);
    const context = await newContext(projectId);
    const value = await newValue(context.id);
    await rename(`flags/${flag.id}`, "Last name");
    await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
    await asAdmin("DELETE", `/api/v1/flags/${flag.id}`);
    await asAdmin("DELETE", `/api/v1/contexts/values/${value.id}`);
    const related = await relatedIn(`projectId=${projectId}&action=flag.created`);
    expect(related).toContainEqual(named("flag", { id: flag.id, name: "Last name" }, true));
    const ofValue = await relatedIn(`entityType=context-value&entityId=${value.id}`);
    const name = `${context.contextKey}: ${value.value}`;
    expect(ofValue).toContainEqual(named("context-value", { id: value.id, name }, true));
  });

  it("names users by their e-mail addresses for an administrator", async () => {
    const { id } = await person("VIEWER");
    await asAdmin("PUT", `/api/v1/users/${id}`, { status: "DISABLED" });
    const { email } = (await asAdmin("GET", `/api/v1/users/${id}`)).body;
    expect(await relatedIn(`entityType=user&entityId=${id}`)).toEqual([
      { entityType: "user", id, name: email, deleted: false },
    ]);
  });

  it("names nothing of another project to an API key", async () => {
    const { projectId, environmentId } = await newWorld();
    const other = await newWorld();
    await newFlag(other.projectId);
    const { apiKey: token } = await newKey(environmentId);
    const { body } = await call("GET", "/api/v1/audit?size=200&related=true", { token });
    const projects = body.related.filter(({ entityType }: Related) => entityType === "project");
    expect(projects.map(({ id }: Related) => id)).toEqual([projectId]);
  });

  it("has no names without the parameter, and an empty list without records", async () => {
    const { projectId } = await newWorld();
    const plain = await asAdmin("GET", `/api/v1/audit?projectId=${projectId}`);
    expect(plain.body).not.toHaveProperty("related");
    expect(await relatedIn(`projectId=${projectId}&action=nothing`)).toEqual([]);
    expect(outcome(await asAdmin("GET", "/api/v1/audit?related=1"))).toBe("400 BAD_REQUEST");
  });

  it("takes the same number of statements for 2 deleted flags as for 20", async () => {
    const costs: number[] = [];
    for (const size of [2, 20]) {
      const { id: projectId } = await newProject();
      for (let n = 0; n < size; n++) {
        const { id } = await newFlag(projectId);
        await asAdmin("POST", `/api/v1/flags/${id}/archive`);
        await asAdmin("DELETE", `/api/v1/flags/${id}`);
      }
      const path = `/api/v1/audit?projectId=${projectId}&size=200&related=true`;
      const options = { token: await adminToken() };
      const { answer, statements } = await countedCall("GET", path, options);
      expect(answer.body.related).toHaveLength(size + 1);
      costs.push(statements);
    }
    expect(costs[1]).toBe(costs[0]);
  });
});
