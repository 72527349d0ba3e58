import { beforeAll, describe, expect, it } from "vitest";
import { callWith } from "../support/call-with.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { wholeDatabase } from "../support/records.ts";
import {
  inCountries,
  newContext,
  newEnvironment,
  newFlag,
  newIntegration,
  newSegment,
  newTag,
  newValue,
  newWorld,
  setStrategy,
} from "../support/world.ts";

const UNKNOWN = 999_999_999;

/** Creates a resource of each kind in a project, and some in a foreign project. */
async function setting() {
  const world = await newWorld();
  const foreign = await newWorld();
  const { projectId } = world;
  const flag = await newFlag(projectId, { tags: ["t"] });
  const segment = await newSegment(projectId, [inCountries("de")]);
  await setStrategy(flag.id, { environmentId: world.environmentId, segmentIds: [segment.id] });
  const context = await newContext(projectId);
  return {
    ...world,
    flag,
    segment,
    context,
    value: await newValue(context.id),
    tag: await newTag(projectId),
    integration: await newIntegration(projectId),
    otherEnvironment: await newEnvironment(projectId),
    otherSegment: await newSegment(projectId, []),
    otherTag: await newTag(projectId),
    otherValue: await newValue(context.id),
    otherIntegration: await newIntegration(projectId),
    project: (await asAdmin("GET", `/api/v1/projects/${projectId}`)).body,
    environment: (await asAdmin("GET", `/api/v1/environments/${world.environmentId}`)).body,
    foreign,
    foreignProject: (await asAdmin("GET", `/api/v1/projects/${foreign.projectId}`)).body,
    foreignSegment: await newSegment(foreign.projectId, []),
    foreignTag: await newTag(foreign.projectId),
  };
}

type Setting = Awaited<ReturnType<typeof setting>>;
type Write = readonly [method: string, path: string, body?: object, headers?: object];

/** The bodies of new resources in a project, with names that no resource has. */
const newOf = (projectId: number) => ({
  flag: { key: "never", name: "n", flagType: "RELEASE", projectId },
  tag: { name: "never", color: "#868e96", projectId },
  context: { name: "n", contextKey: "never", contextType: "string", projectId },
  key: { name: "k", keyType: "SERVER" },
  integration: {
    name: "never",
    enabled: true,
    type: "custom_webhook",
    configJson: '{"url":"https://receiver.example.com/"}',
    eventSubscriptionsJson: "[]",
    projectId,
  },
});

const inUse = (s: Setting): Write[] => {
  const { projectId } = s;
  const { flag, tag, context, integration } = newOf(projectId);
  return [
    ["POST", "projects", { name: s.project.name }],
    ["PUT", `projects/${projectId}`, { name: s.foreignProject.name }],
    ["POST", "environments", { name: s.environment.name, projectId }],
    ["PUT", `environments/${s.environmentId}`, { name: s.otherEnvironment.name }],
    ["POST", "flags", { ...flag, key: s.flag.key }],
    ["POST", "flags", { ...flag, key: s.flag.key, tags: ["never"] }],
    ["POST", "segments", { name: s.segment.name, projectId }],
    ["PUT", `segments/${s.segment.id}`, { name: s.otherSegment.name }],
    ["POST", "tags", { ...tag, name: s.tag.name }],
    ["PUT", `tags/${s.tag.id}`, { name: s.otherTag.name }],
    ["POST", "contexts", { ...context, contextKey: s.context.contextKey }],
    ["POST", `contexts/${s.context.id}/values`, { value: s.value.value }],
    ["PUT", `contexts/values/${s.value.id}`, { value: s.otherValue.value }],
    ["POST", "integrations", { ...integration, name: s.integration.name }],
    ["PUT", `integrations/${s.integration.id}`, { name: s.otherIntegration.name }],
  ];
};

const unknown = ({ flag: { id }, environmentId, projectId, ...s }: Setting): Write[] => {
  const bodies = newOf(UNKNOWN);
  const { flag } = newOf(projectId);
  const strategies = `flags/${id}/strategies`;
  return [
    ["POST", "environments", { name: "e", projectId: UNKNOWN }],
    ["POST", "flags", bodies.flag],
    ["POST", "segments", { name: "s", projectId: UNKNOWN }],
    ["POST", "tags", bodies.tag],
    ["POST", "contexts", bodies.context],
    ["POST", "integrations", bodies.integration],
    ["POST", `contexts/${UNKNOWN}/values`, { value: "v" }],
    ["PUT", `contexts/${UNKNOWN}/values`, [{ value: "v" }]],
    ["POST", "api-keys", { ...bodies.key, environmentId: UNKNOWN }],
    ["PUT", `flags/${UNKNOWN}/strategies`, { environmentId, enabled: true }],
    ...[UNKNOWN, s.foreignTag.id].flatMap((tagId): Write[] => [
      ["POST", "flags", { ...flag, tags: ["never", { tagId, value: "v" }] }],
      ["PUT", `flags/${id}`, { name: "n", tags: ["never", { tagId, value: "v" }] }],
    ]),
    ...[UNKNOWN, s.foreignSegment.id].flatMap((segmentId): Write[] => [
      ["PUT", strategies, { environmentId, enabled: true, segmentIds: [segmentId] }],
      ["PUT", strategies, { environmentId, rules: [{ segmentIds: [segmentId] }] }],
    ]),
    ...[UNKNOWN, s.foreign.environmentId].map((other): Write => [
      "PUT",
      strategies,
      { environmentId: other },
    ]),
  ];
};

const blocked = (s: Setting): Write[] => [
  ["DELETE", `projects/${s.projectId}`],
  ["DELETE", `environments/${s.environmentId}`],
  ["DELETE", `flags/${s.flag.id}`],
  ["DELETE", `segments/${s.segment.id}`],
];

const outdated = ({ flag: { id }, environmentId }: Setting): Write[] => [
  ["PUT", `flags/${id}`, { name: "n" }, { "If-Match": '"77"' }],
  ["PUT", `flags/${id}/strategies`, { environmentId }, { "If-Match": '"0"' }],
];

const mismatched = ({ environmentId, foreign: { projectId } }: Setting): Write[] => [
  ["POST", "api-keys", { ...newOf(0).key, environmentId, projectId }],
];

let s: Setting;
beforeAll(async () => {
  s = await setting();
});

describe("a rejected write", () => {
  it.each<[string, string, (s: Setting) => Write[]]>([
    ["409 CONFLICT", "a name or key that is in use", inUse],
    ["404 NOT_FOUND", "a reference that is unknown or of another project", unknown],
    [
      "409 CONFLICT",
      "a deletion while API keys, strategies or the flag's state forbid it",
      blocked,
    ],
    ["412 CONFLICT", "an outdated ETag", outdated],
    ["400 VALIDATION_ERROR", "a project that is not that of the environment", mismatched],
  ])("returns %s for %s, and changes nothing in the database", async (expected, _, writesOf) => {
    const before = await wholeDatabase();
    for (const write of writesOf(s)) {
      const [method, path, body, headers] = write;
      const answer = await asAdmin(method, `/api/v1/${path}`, body, { ...headers });
      expect([...write, outcome(answer)]).toEqual([...write, expected]);
    }
    expect(await wholeDatabase()).toEqual(before);
  });

  it("returns 402 for a flag above the quota of flags or of tags, and changes nothing in the database", async () => {
    const token = await adminToken();
    const body = { ...newOf(s.projectId).flag, tags: ["never"] };
    const before = await wholeDatabase();
    for (const quota of [{ QUOTA_FLAGS: "1" }, { QUOTA_TAGS: "1" }]) {
      const answer = await callWith(quota, "POST", "/api/v1/flags", { token, body });
      expect(outcome(answer)).toBe("402 QUOTA_EXCEEDED");
    }
    expect(await wholeDatabase()).toEqual(before);
  });
});
