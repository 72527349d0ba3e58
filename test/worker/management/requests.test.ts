import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { call, read as answerOf } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { newFlag, newProject } from "../support/world.ts";

const MEGABYTE = 1_048_576;
const encoder = new TextEncoder();

/** A request body as a stream. For a stream, fetch sets no Content-Length and no Content-Type. */
const streamed = (...pieces: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece));
      controller.close();
    },
  });

const sized = (bytes: number) => `{"name":"n"${" ".repeat(bytes - 12)}}`;

let flag: { id: number; version: number };
let path: string;

beforeAll(async () => {
  flag = await newFlag((await newProject()).id);
  path = `/api/v1/flags/${flag.id}`;
});

const put = (body: unknown, headers: Record<string, string> = {}) =>
  asAdmin("PUT", path, body, headers);
const version = async () => (await asAdmin("GET", path)).body.version;

describe("the body of a request", () => {
  it.each(["", "{", "{name:1}", "{'name':'x'}", "[1,]", "undefined", '"\\x"', "{}{}", "\u0000"])(
    "returns 400 BAD_REQUEST for the malformed JSON %j",
    async (body) => {
      expect(outcome(await put(streamed(body), { "Content-Type": "application/json" }))).toBe(
        "400 BAD_REQUEST",
      );
    },
  );

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/jsonp",
    "json",
    "garbage",
  ])("returns 400 and changes nothing with the content type %s", async (type) => {
    const before = await version();
    const answer = await put('{"name":"changed"}', { "Content-Type": type });
    expect(outcome(answer)).toBe("400 BAD_REQUEST");
    expect(await version()).toBe(before);
  });

  it("returns 400 when it or its content type is missing, and changes nothing", async () => {
    const before = await version();
    const request = new Request(`https://flags.test${path}`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${await adminToken()}` },
      body: streamed('{"name":"changed"}'),
    });
    const untyped = await answerOf("PUT", path, await exports.default.fetch(request));
    expect([untyped, await put(undefined)].map(outcome)).toEqual(Array(2).fill("400 BAD_REQUEST"));
    expect(await version()).toBe(before);
  });

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "APPLICATION/JSON",
    "application/merge-patch+json",
  ])("is read as JSON with the content type %s", async (type) => {
    expect((await put('{"name":"changed"}', { "Content-Type": type })).status).toBe(200);
  });

  it("can be a stream, even when a chunk ends within a character", async () => {
    const [first, second] = [encoder.encode('{"name":"ä"}'), 10];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(first.slice(0, second));
        controller.enqueue(first.slice(second));
        controller.close();
      },
    });
    expect((await put(body)).body.name).toBe("ä");
  });

  it("is rejected above 1 MiB, with and without Content-Length", async () => {
    expect((await put(sized(MEGABYTE))).status).toBe(200);
    expect(outcome(await put(sized(MEGABYTE + 1)))).toBe("400 BAD_REQUEST");
    const halves = (bytes: number) => {
      const whole = sized(bytes);
      return streamed(whole.slice(0, 500_000), whole.slice(500_000));
    };
    expect((await put(halves(MEGABYTE))).status).toBe(200);
    expect(outcome(await put(halves(MEGABYTE + 1)))).toBe("400 BAD_REQUEST");
  });

  it.each(["\u{1F6A9}", "שלום", "👩\u200d💻"])("can contain the string %j", async (name) => {
    expect((await put({ name, tags: [name] })).body).toMatchObject({ name, tags: [name] });
    expect((await asAdmin("GET", path)).body).toMatchObject({ name, tags: [name] });
  });

  it.each(["\ud800", "x\udfffy"])(
    "is rejected when it contains the lone surrogate %j",
    async (name) => {
      expect(outcome(await put({ name }))).toBe("400 VALIDATION_ERROR");
      expect(outcome(await put({ tags: [name] }))).toBe("400 VALIDATION_ERROR");
    },
  );

  it("cannot change a prototype or a field through the keys __proto__ and constructor", async () => {
    const body = '{"__proto__":{"name":"polluted"},"constructor":{"prototype":{"name":"x"}}}';
    const before = (await asAdmin("GET", path)).body.name;
    expect((await put(body)).body.name).toBe(before);
    expect(Reflect.get({}, "name")).toBeUndefined();
  });
});

describe("a HEAD request", () => {
  it("returns 200 with the ETag of GET, and no body", async () => {
    const [head, get] = [await asAdmin("HEAD", path), await asAdmin("GET", path)];
    expect([head.status, head.body]).toEqual([200, ""]);
    expect(head.headers.get("ETag")).toBe(get.headers.get("ETag"));
  });
});

describe("a D1 bookmark", () => {
  it("is in the response of a write, and accepted in the next request", async () => {
    const answer = await put({ name: "marked" });
    const bookmark = answer.headers.get("X-D1-Bookmark") ?? "";
    expect(bookmark).toMatch(/^[0-9a-f-]+$/);
    const read = await asAdmin("GET", path, undefined, { "X-D1-Bookmark": bookmark });
    expect(read.body.name).toBe("marked");
  });

  it.each(["garbage", "'", "first-unconstrained", "0", "-", "f".repeat(500)])(
    "is ignored when it is the invalid value %s",
    async (bookmark) => {
      const read = await asAdmin("GET", path, undefined, { "X-D1-Bookmark": bookmark });
      expect(read.status).toBe(200);
    },
  );
});

describe("the errors of a request", () => {
  it("are checked in the order 401, 400, 404, 409", async () => {
    const other = await newFlag((await newProject()).id);
    const bad = { name: "" };
    const nobody = await call("PUT", "/api/v1/flags/999999", { body: bad });
    expect(nobody.status).toBe(401);
    expect((await asAdmin("PUT", "/api/v1/flags/999999", bad)).status).toBe(400);
    expect((await asAdmin("PUT", "/api/v1/flags/999999", {})).status).toBe(404);
    expect((await asAdmin("DELETE", `/api/v1/flags/${other.id}`)).status).toBe(409);
  });

  it("are 404 for an unknown path, even without a token and with a malformed body", async () => {
    for (const unknown of ["/api/", "/api/v1", "/api/v1/nothing", "/api/v2/flags", "/api/client/x"])
      expect(outcome(await call("POST", unknown, { body: "{" }))).toBe("404 NOT_FOUND");
  });
});
