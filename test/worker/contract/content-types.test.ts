import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { newFlag, newProject, newWorld } from "../support/world.ts";

const JSON_TYPES = [
  "application/json",
  "APPLICATION/JSON",
  "application/json;charset=utf-8",
  "application/json; charset=utf-8",
  "application/json ; charset=utf-8",
  "application/json\t;\tcharset=utf-8",
  'application/json; charset="utf-8"',
  'application/json; profile="a;b"',
  "application/json; x_y=1",
  "application/json;",
  "application/json ;",
  "application/json;;",
  "application/json ; ; charset=utf-8 ;",
  "application/merge-patch+json",
  "application/vnd.api2+json ;",
];
const OTHER_TYPES = [
  "text/plain",
  "application/jsonp",
  "application/json5",
  "application/json, text/plain",
  "application/json x",
  "application/x-www-form-urlencoded",
  "text/json",
];

let path: string;
let apiKey: string;
beforeAll(async () => {
  path = `/api/v1/flags/${(await newFlag((await newProject()).id)).id}`;
  ({ apiKey } = await newWorld());
});

const READERS = [
  ["the management API", (headers: Headers) => asAdmin("PUT", path, "{}", headers), "200"],
  [
    "a login",
    (headers: Headers) => call("POST", "/api/v1/auth/login", { body: "{}", headers }),
    "400 VALIDATION_ERROR",
  ],
  [
    "the client API",
    (headers: Headers) =>
      call("POST", "/api/client/evaluate", { token: apiKey, body: '{"context":{}}', headers }),
    "200",
  ],
] as const;
type Headers = Readonly<Record<string, string>>;

describe.each(READERS)("a body for %s", (_, send, accepted) => {
  it.each(JSON_TYPES)("is read as JSON with the content type %s", async (type) => {
    expect(outcome(await send({ "Content-Type": type }))).toBe(accepted);
  });

  it.each(OTHER_TYPES)(
    "is 400 with the content type %s, and the error names JSON",
    async (type) => {
      const answer = await send({ "Content-Type": type });
      expect(outcome(answer)).toBe("400 BAD_REQUEST");
      expect(answer.body.error).toBe("The header Content-Type must be application/json");
    },
  );
});

describe("a form of OAuth", () => {
  const send = (type: string) =>
    call("POST", "/api/oauth/token", {
      body: "grant_type=password&client_id=x",
      headers: { "Content-Type": type },
    });
  const FORM = "application/x-www-form-urlencoded";

  it.each([FORM, `${FORM};charset=UTF-8`, `${FORM} ; charset=UTF-8`, `${FORM};`, `${FORM}\t;`])(
    "is read with the content type %s",
    async (type) => {
      expect((await send(type)).body.error).toBe("unsupported_grant_type");
    },
  );

  it.each(["application/json", `${FORM}-x`, "multipart/form-data; boundary=x"])(
    "is 400 with the content type %s, and the error names the form",
    async (type) => {
      expect((await send(type)).body).toMatchObject({
        error: "invalid_request",
        error_description: `The header Content-Type must be ${FORM}`,
      });
    },
  );
});
