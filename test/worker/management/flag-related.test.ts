import { describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { asAdmin } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { newFlag, newKey, newTag, newWorld, unique } from "../support/world.ts";

const requires = (...flags: readonly Json[]) => ({
  prerequisites: flags.map(({ key }) => ({ flagKey: key, enabled: true })),
});

const briefly = ({ id, key, name }: Json) => ({ id, key, name });

/** Creates a flag that requires two flags and is required by two dependent flags, one of them archived. */
async function newLinkedFlag() {
  const { projectId, environmentId } = await newWorld();
  const tag = await newTag(projectId);
  const owner = await person("VIEWER");
  const [first, second] = [await newFlag(projectId), await newFlag(projectId)];
  const flag = await newFlag(projectId, {
    ...requires(first, second),
    tags: [
      { tagId: tag.id, value: "b" },
      { tagId: tag.id, value: "a" },
    ],
    ownerIds: [owner.id],
  });
  const dependent = await newFlag(projectId, { key: unique("a-dependent"), ...requires(flag) });
  const archived = await newFlag(projectId, requires(flag));
  await asAdmin("POST", `/api/v1/flags/${archived.id}/archive`);
  await newFlag(projectId);
  return { environmentId, flag, tag, owner, linked: [first, second, dependent] };
}

describe("a flag that is read with related=true", () => {
  it("has its tags, its owners, and the flags that it requires and that require it, without archived ones", async () => {
    const { flag, tag, owner, linked } = await newLinkedFlag();
    const path = `/api/v1/flags/${flag.id}`;
    const plain = await asAdmin("GET", path);
    const { body, headers } = await asAdmin("GET", `${path}?related=true`);
    const { name } = (await asAdmin("GET", `/api/v1/users/${owner.id}`)).body;
    const value = (text: string) => ({ id: tag.id, name: tag.name, color: tag.color, value: text });
    expect(body).toEqual({
      ...plain.body,
      related: {
        tags: [value("a"), value("b")],
        flags: linked.map(briefly).toSorted((a, b) => (a.key < b.key ? -1 : 1)),
        owners: [{ id: owner.id, name }],
        managedBy: [],
      },
    });
    expect(plain.body).not.toHaveProperty("related");
    expect(headers.get("ETag")).toBe(plain.headers.get("ETag"));
  });

  it("has empty lists if it refers to nothing", async () => {
    const { projectId } = await newWorld();
    const { id } = await newFlag(projectId);
    const { body } = await asAdmin("GET", `/api/v1/flags/${id}?related=true`);
    expect(body.related).toEqual({ tags: [], flags: [], owners: [], managedBy: [] });
  });

  it("shows no names of users to an API key", async () => {
    const { environmentId, flag } = await newLinkedFlag();
    const { apiKey: token } = await newKey(environmentId);
    const { body } = await call("GET", `/api/v1/flags/${flag.id}?related=true`, { token });
    expect([body.related.owners, body.related.flags.length]).toEqual([[], 3]);
  });
});
