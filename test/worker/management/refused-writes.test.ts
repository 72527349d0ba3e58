import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { call, type Json } from "../support/client.ts";
import { adminToken, person } from "../support/people.ts";
import { wholeDatabase } from "../support/records.ts";
import { callWith } from "../support/call-with.ts";
import { inCountries, newFlag, newSegment, newWorld, setStrategy } from "../support/world.ts";

/** Creates two projects. Returns the resources and ids that the rejected writes name. */
async function setting() {
  const mine = await newWorld();
  const other = await newWorld();
  const flag = await newFlag(mine.projectId, { tags: ["t"] });
  const segment = await newSegment(mine.projectId, [inCountries("de")]);
  await setStrategy(flag.id, { environmentId: mine.environmentId, segmentIds: [segment.id] });
  const second = await newSegment(mine.projectId, []);
  const foreign = await newSegment(other.projectId, []);
  const project = (await asAdmin("GET", `/api/v1/projects/${mine.projectId}`)).body;
  const theirs = (await asAdmin("GET", `/api/v1/projects/${other.projectId}`)).body;
  const environment = (await asAdmin("GET", `/api/v1/environments/${mine.environmentId}`)).body;
  return { ...mine, other, flag, segment, second, foreign, project, theirs, environment };
}

type Setting = Awaited<ReturnType<typeof setting>>;
type Write = readonly [method: string, path: string, body?: object, headers?: object];

const REJECTED: Record<string, readonly [string, (s: Setting) => Write]> = {
  "a project with a name in use": [
    "409 CONFLICT",
    (s) => ["POST", "projects", { name: s.project.name }],
  ],
  "a project renamed to a name in use": [
    "409 CONFLICT",
    (s) => ["PUT", `projects/${s.projectId}`, { name: s.theirs.name }],
  ],
  "a project deleted while it has API keys": [
    "409 CONFLICT",
    (s) => ["DELETE", `projects/${s.projectId}`],
  ],
  "an environment with a name in use": [
    "409 CONFLICT",
    (s) => ["POST", "environments", { name: s.environment.name, projectId: s.projectId }],
  ],
  "an environment in an unknown project": [
    "404 NOT_FOUND",
    () => ["POST", "environments", { name: "e", projectId: 999_999 }],
  ],
  "an environment deleted while it has API keys": [
    "409 CONFLICT",
    (s) => ["DELETE", `environments/${s.environmentId}`],
  ],
  "a flag with a key in use": [
    "409 CONFLICT",
    (s) => ["POST", "flags", { ...newOf(s), key: s.flag.key }],
  ],
  "a flag with a key in use and new tags": [
    "409 CONFLICT",
    (s) => ["POST", "flags", { ...newOf(s), key: s.flag.key, tags: ["never"] }],
  ],
  "a flag with an unknown tag": [
    "404 NOT_FOUND",
    (s) => ["POST", "flags", { ...newOf(s), tags: ["never", { tagId: 999_999, value: "v" }] }],
  ],
  "a flag in an unknown project": [
    "404 NOT_FOUND",
    (s) => ["POST", "flags", { ...newOf(s), projectId: 999_999 }],
  ],
  "a flag changed to an unknown tag": [
    "404 NOT_FOUND",
    (s) => ["PUT", `flags/${s.flag.id}`, { name: "n", tags: [{ tagId: 999_999, value: "v" }] }],
  ],
  "a flag changed with an outdated ETag": [
    "412 CONFLICT",
    (s) => ["PUT", `flags/${s.flag.id}`, { name: "n" }, { "If-Match": '"77"' }],
  ],
  "a flag deleted while not archived": ["409 CONFLICT", (s) => ["DELETE", `flags/${s.flag.id}`]],
  "a strategy with a segment of another project": [
    "404 NOT_FOUND",
    (s) => [
      "PUT",
      `flags/${s.flag.id}/strategies`,
      { environmentId: s.environmentId, enabled: true, segmentIds: [s.foreign.id] },
    ],
  ],
  "a strategy in an environment of another project": [
    "404 NOT_FOUND",
    (s) => ["PUT", `flags/${s.flag.id}/strategies`, { environmentId: s.other.environmentId }],
  ],
  "a strategy set with an outdated ETag": [
    "412 CONFLICT",
    (s) => [
      "PUT",
      `flags/${s.flag.id}/strategies`,
      { environmentId: s.environmentId },
      { "If-Match": '"0"' },
    ],
  ],
  "a segment with a name in use": [
    "409 CONFLICT",
    (s) => ["POST", "segments", { name: s.segment.name, projectId: s.projectId }],
  ],
  "a segment renamed to a name in use": [
    "409 CONFLICT",
    (s) => ["PUT", `segments/${s.segment.id}`, { name: s.second.name }],
  ],
  "a segment deleted while a strategy uses it": [
    "409 CONFLICT",
    (s) => ["DELETE", `segments/${s.segment.id}`],
  ],
  "an API key for an unknown environment": [
    "404 NOT_FOUND",
    () => ["POST", "api-keys", { name: "k", keyType: "SERVER", environmentId: 999_999 }],
  ],
  "an API key with the projectId of another project": [
    "400 VALIDATION_ERROR",
    (s) => [
      "POST",
      "api-keys",
      {
        name: "k",
        keyType: "SERVER",
        environmentId: s.environmentId,
        projectId: s.other.projectId,
      },
    ],
  ],
};

const newOf = ({ projectId }: Setting) => ({
  key: "never",
  name: "n",
  flagType: "RELEASE",
  projectId,
});

let s: Setting;
let before: Record<string, Json[]>;

beforeAll(async () => {
  s = await setting();
});
beforeEach(async () => {
  before = await wholeDatabase();
});

describe("a rejected write of", () => {
  it.each(Object.entries(REJECTED))(
    "%s returns an error and changes nothing in the database",
    async (_, [expected, write]) => {
      const [method, path, body, headers] = write(s);
      const answer = await asAdmin(method, `/api/v1/${path}`, body, { ...headers });
      expect(outcome(answer)).toBe(expected);
      expect(await wholeDatabase()).toEqual(before);
    },
  );

  it("a flag above the quota of flags or of tags returns 402 and changes nothing in the database", async () => {
    const token = await adminToken();
    const body = { ...newOf(s), tags: ["never"] };
    for (const quota of [{ QUOTA_FLAGS: "1" }, { QUOTA_TAGS: "1" }]) {
      const answer = await callWith(quota, "POST", "/api/v1/flags", { token, body });
      expect(outcome(answer)).toBe("402 QUOTA_EXCEEDED");
    }
    expect(await wholeDatabase()).toEqual(before);
  });

  it("a flag by a viewer returns 403 and changes nothing in the database", async () => {
    const { token } = await person("VIEWER");
    before = await wholeDatabase();
    const answer = await call("POST", "/api/v1/flags", { token, body: newOf(s) });
    expect(outcome(answer)).toBe("403 FORBIDDEN");
    expect(await wholeDatabase()).toEqual(before);
  });
});
