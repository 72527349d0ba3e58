import { beforeAll, describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import {
  newEnvironment,
  newFlag,
  newIntegration,
  newProject,
  newSegment,
  newWorld,
  unique,
} from "../support/world.ts";

type Kind = "flag" | "strategy" | "segment" | "environment" | "project" | "integration";

const KINDS: readonly Kind[] = [
  "flag",
  "strategy",
  "segment",
  "environment",
  "project",
  "integration",
];

/**
 * Creates a row of the kind. Returns the paths to read and write it, and a function that returns
 * the body of a write. Each body contains other values, so that every write changes the row.
 */
async function create(kind: Kind) {
  const { id: projectId } = await newProject();
  const environment = await newEnvironment(projectId);
  if (kind === "project") return renamedAt(`projects/${projectId}`);
  if (kind === "environment") return renamedAt(`environments/${environment.id}`);
  if (kind === "segment") return renamedAt(`segments/${(await newSegment(projectId, [])).id}`);
  if (kind === "integration")
    return renamedAt(`integrations/${(await newIntegration(projectId)).id}`);
  const { id } = await newFlag(projectId);
  if (kind === "flag") return renamedAt(`flags/${id}`);
  const read = `/api/v1/flags/${id}/strategies/${environment.id}`;
  const write = `/api/v1/flags/${id}/strategies`;
  const body = () => ({ environmentId: environment.id as number, stickiness: unique("field") });
  return { read, write, body };
}

const renamedAt = (path: string) => ({
  read: `/api/v1/${path}`,
  write: `/api/v1/${path}`,
  body: (): object => ({ name: unique("changed") }),
});

describe.each(KINDS)("a %s", (kind) => {
  let thing: Awaited<ReturnType<typeof create>>;
  const put = (ifMatch: string) =>
    asAdmin("PUT", thing.write, thing.body(), { "If-Match": ifMatch });
  const tag = async () => (await asAdmin("GET", thing.read)).headers.get("ETag") ?? "none";

  beforeAll(async () => {
    thing = await create(kind);
  });

  it("has a strong ETag, which changes with every change", async () => {
    const before = await tag();
    expect(before).toMatch(/^"[^"]+"$/);
    const answer = await asAdmin("PUT", thing.write, thing.body());
    expect(answer.headers.get("ETag")).not.toBe(before);
    expect(answer.headers.get("ETag")).toBe(await tag());
  });

  it("can be changed only once with the same ETag in If-Match", async () => {
    const read = await tag();
    expect((await put(read)).status).toBe(200);
    const late = await put(read);
    expect(outcome(late)).toBe("412 CONFLICT");
    expect(await tag()).not.toBe(read);
  });

  it("can be changed when one of several ETags in If-Match matches", async () => {
    expect((await put(`"999", ${await tag()} , "x"`)).status).toBe(200);
    expect(outcome(await put('"998","999"'))).toBe("412 CONFLICT");
  });

  it("can be changed with If-Match: *", async () => {
    expect((await put("*")).status).toBe(200);
  });

  it("returns 412 for its own ETag in the weak form, which If-Match never matches", async () => {
    expect(outcome(await put(`W/${await tag()}`))).toBe("412 CONFLICT");
  });

  it.each(['""', '"x"', '"-1"', '"1.0"', '"99999999999999999999"'])(
    "returns 412 for the ETag %s, which no row has",
    async (header) => {
      expect(outcome(await put(header))).toBe("412 CONFLICT");
    },
  );

  it.each(["garbage", "1", '"1', '1"', '"1" "2"', "W/", '"1",garbage', "**", ","])(
    "returns 400 for If-Match: %s, which is not a list of ETags",
    async (header) => {
      expect(outcome(await put(header))).toBe("400 BAD_REQUEST");
    },
  );
});

describe("If-Match", () => {
  it("applies to archiving, unarchiving and deleting a flag", async () => {
    const flag = await newFlag((await newProject()).id);
    const path = `/api/v1/flags/${flag.id}`;
    const send = (method: string, suffix: string, version: number) =>
      asAdmin(method, path + suffix, undefined, { "If-Match": `"${version}"` });
    expect(outcome(await send("POST", "/archive", 7))).toBe("412 CONFLICT");
    const archived = await send("POST", "/archive", 1);
    expect([archived.status, archived.headers.get("ETag")]).toEqual([200, '"2"']);
    expect(outcome(await send("POST", "/unarchive", 1))).toBe("412 CONFLICT");
    expect(outcome(await send("DELETE", "", 1))).toBe("412 CONFLICT");
    expect((await send("DELETE", "", 2)).status).toBe(204);
  });

  it("applies to renaming an API key", async () => {
    const { keyId } = await newWorld();
    const rename = (ifMatch: string) =>
      asAdmin("PUT", `/api/v1/api-keys/${keyId}`, { name: unique("n") }, { "If-Match": ifMatch });
    const answer = await rename("*");
    expect((await rename(answer.headers.get("ETag") ?? "")).status).toBe(200);
    expect(outcome(await rename(answer.headers.get("ETag") ?? ""))).toBe("412 CONFLICT");
  });

  it("returns 404, not 412, for a row that does not exist", async () => {
    const answer = await asAdmin("PUT", "/api/v1/flags/999999", {}, { "If-Match": '"1"' });
    expect(outcome(answer)).toBe("404 NOT_FOUND");
  });

  it('matches the ETag "0" of a strategy that was never set', async () => {
    const { write, body, read } = await create("strategy");
    expect((await asAdmin("GET", read)).headers.get("ETag")).toBe('"0"');
    const set = () => asAdmin("PUT", write, body(), { "If-Match": '"0"' });
    expect((await set()).status).toBe(200);
    expect(outcome(await set())).toBe("412 CONFLICT");
  });
});
