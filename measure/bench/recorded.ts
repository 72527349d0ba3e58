import { type Build, seededService } from "./comparisons.ts";
import { context, fixtureFlags, fixtureFlagsWithValues } from "../../scripts/service/fixtures.ts";
import { type Asked, features, ofrepAll, send } from "../../scripts/service/scenarios.ts";
import { CHANGED_AT } from "../../scripts/service/seed.ts";
import { inOrder } from "../../scripts/lib/in-order.ts";

const EVALUATE = "/api/client/evaluate";

/** The flags of the recorded requests: 50 with values and rules, and then 50 without. */
const flags = [
  ...fixtureFlagsWithValues(50, { valueBytes: 200, rules: 3 }),
  ...fixtureFlags(100).slice(50),
];

function some<T>(list: readonly T[], n: number): T | undefined {
  return list[n % list.length];
}

/** 40 contexts: ids of several alphabets and none, and fields that are missing or of another type. */
const contexts = Array.from({ length: 40 }, (_, n) => ({
  ...context,
  targetingKey: some([`user-${n}`, `${n}`, `ä${n}\u{1F600}`, " ", undefined], n),
  country: some(["de", "us", "xx", null, 7, undefined, ["de"]], n),
  age: some([34, 20, "21", "twenty", 1e21, undefined], n),
  appVersion: some(["2.11.4", "2.3.0-rc.1", "v2.3.0", "2", undefined, true], n),
}));

const post = (path: string, body: string): Asked => ({ ...ofrepAll(), path, body });
const get = (path: string, more: Readonly<Record<string, string>> = {}): Asked => ({
  ...features(),
  path,
  headers: { ...features().headers, ...more },
});

/** Returns the requests whose answers must stay the same. `etag`: the ETag of the rules. */
function recordedRequests(etag: string): readonly Asked[] {
  const { path } = features();
  const revision = Number(/\d+/.exec(etag)?.[0]);
  const conditions = [etag, `W/${etag}`, "*", `"old", ${etag}`, '"old"', `"${revision - 1}-0"`];
  const times = [CHANGED_AT - 1000, CHANGED_AT, CHANGED_AT + 1, CHANGED_AT + 60_000];
  const queries = [
    ...times.map((time) => `since=${new Date(time).toISOString()}`),
    "since=yesterday",
    "since=",
    "other=1",
  ];
  const bodies = [
    "",
    "{",
    "[]",
    "null",
    "{}",
    '{"context":null}',
    '{"context":[]}',
    '{"context":{"targetingKey":7}}',
    '{"context":{"a":{"b":[1,{"c":null}]}}}',
    JSON.stringify({ context: { list: Array.from({ length: 2000 }, (_, n) => `v${n}`) } }),
    `{"context":{"deep":${"[".repeat(200)}${"]".repeat(200)}}}`,
    JSON.stringify({ context, toggles: "all" }),
    JSON.stringify({ context, toggles: [flags[0]?.key, "unknown", flags[0]?.key, "__proto__"] }),
    JSON.stringify({ context, toggles: Array.from({ length: 1001 }, (_, n) => `${n}`) }),
  ];
  const ofrep = ofrepAll().path;
  return [
    get(path),
    { ...get(path), headers: {} },
    get(path, { Authorization: "Bearer unknown" }),
    get(path, { Origin: "https://shop.example.com" }),
    ...conditions.map((held) => get(path, { "If-None-Match": held })),
    ...queries.map((query) => get(`${path}?${query}`)),
    ...[0, revision, "x"].map((least) => get(path, { "X-Min-Revision": String(least) })),
    ...[EVALUATE, ofrep].flatMap((to) => bodies.map((body) => post(to, body))),
    post(`${ofrep}/unknown`, JSON.stringify({ context })),
    post(`${ofrep}/%zz`, JSON.stringify({ context })),
    ...contexts.flatMap((one, n) => {
      const toggles = [n, n + 7, n + 50].map((at) => some(flags, at)?.key);
      const body = JSON.stringify({ context: one });
      return [
        post(EVALUATE, JSON.stringify({ context: one, toggles })),
        post(EVALUATE, body),
        post(ofrep, body),
        post(`${ofrep}/${some(flags, n)?.key}`, body),
      ];
    }),
  ];
}

/** The random parts of answers: the ids of the trace, also in the bodies of errors. */
const TRACE_ID = /"traceId":"[0-9a-f]+"/;

const textOf = async (port: number, request: Asked): Promise<string> => {
  const { status, headers, body } = await send(port, request);
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith("x-b3-"));
  return JSON.stringify([status, kept, new TextDecoder().decode(body).replace(TRACE_ID, "")]);
};

/** How much of two answers is printed, from a little before they differ, characters. */
const SHOWN = 200;

/** Returns a request and the parts of its two answers that differ. */
function difference(
  { method, path, headers, body }: Asked,
  answer: string,
  before: string,
): string {
  let at = 0;
  while (at < answer.length && answer[at] === before[at]) at += 1;
  const part = (text: string) => text.slice(Math.max(0, at - SHOWN / 4)).slice(0, SHOWN);
  const sent = `${method} ${path} ${JSON.stringify(headers)} ${body.slice(0, SHOWN)}`;
  return [sent, `  other: ${part(before)}`, `  this:  ${part(answer)}`].join("\n");
}

/**
 * Sends recorded requests to two services with the same flags. Returns the number of requests, and those
 * whose answers differ. Ignores `Content-Length` and the ids of the trace.
 */
export async function differingAnswers(build: Build, other: Build) {
  const services = [await seededService(build, flags), await seededService(other, flags)];
  const [port = Number.NaN, otherPort = Number.NaN] = services.map(({ ports }) => ports[0]);
  const { headers } = await send(port, features());
  await send(otherPort, features());
  const requests = recordedRequests(headers["etag"] ?? "");
  const found = await inOrder(requests, async (request) => {
    const [answer, before] = [await textOf(port, request), await textOf(otherPort, request)];
    if (answer === before) return [];
    return [difference(request, answer, before)];
  });
  await Promise.all(services.map(({ miniflare }) => miniflare.dispose()));
  return { asked: requests.length, differing: found.flat() };
}
