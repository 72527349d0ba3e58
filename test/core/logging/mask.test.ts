import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomToken } from "../../../src/core/lib/digest.ts";
import { mask, spellings } from "../../../src/core/logging/mask.ts";
import { isSensitive, secretsIn } from "../../../src/core/logging/secret-names.ts";
import { cpuTime } from "../../support/cpu-time.ts";

const apiKey = randomToken(48);
const mailToken = randomToken(32);
const refreshToken = `${randomToken(16)}.${randomToken(32)}`;
const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${randomToken(32)}`;
const whsec = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD/w==";

describe("mask without known secrets", () => {
  it.each([
    ["an API key", apiKey],
    ["a token sent by mail", mailToken],
    ["a refresh token", refreshToken],
    ["an access token", jwt],
    ["an access token without its signature", jwt.slice(0, jwt.lastIndexOf("."))],
    ["a webhook secret", whsec],
    ["a webhook secret in a URL", encodeURIComponent(whsec)],
    ["a password hash", `scrypt$15$8$3$${randomToken(16)}$${randomToken(32)}`],
    ["an encrypted text", `v1.${randomToken(12)}.${randomToken(20)}`],
    ["a TOTP secret", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"],
    ["an otpauth URL", "otpauth://totp/Flags:ann%40x.com?secret=JBSWY3DP&issuer=Flags"],
    ["an otpauth URL in a URL", encodeURIComponent("otpauth://totp/Flags:ann?secret=JBSWY3DP")],
    ["a recovery code", "ab2d-3fgh-ijkl"],
    ["a recovery code in capitals", "AB2D-3FGH-IJKL"],
  ])("masks %s, recognised by its format", (_name, secret) => {
    for (const around of [
      `(${secret})`,
      `"${secret}"`,
      `\\"${secret}\\"`,
      `%20${secret}&x`,
      secret,
    ])
      expect(mask(`before ${around} after`)).not.toContain(secret);
    expect(mask(`before ${secret} after`)).toBe("before *** after");
  });

  it.each(["Bearer short", "bearer  short", "Bearer%20short", "Bearer+short"])(
    "masks the credential in %s",
    (header) => {
      expect(mask(`was sent ${header}`)).not.toContain("short");
    },
  );

  it("masks a user and a password before a host, and Basic credentials", () => {
    expect(mask("to https://ann:hunter2@example.com/a")).toBe("to https://***@example.com/a");
    expect(mask("Basic YW5uOmh1bnRlcjI=")).toBe("Basic ***");
  });
});

describe("mask with known secrets", () => {
  const secret = 'p"ss wörd/+\\=';

  it("masks a secret in JSON, URL and form encoding", () => {
    const values = spellings([secret]);
    const written = [
      secret,
      JSON.stringify(secret),
      JSON.stringify(JSON.stringify(secret)),
      encodeURIComponent(secret),
      encodeURI(secret),
      new URLSearchParams({ q: secret }).toString(),
    ];
    for (const text of written) expect(mask(`<${text}>`, values)).not.toMatch(/ss|rd/);
  });

  it("ignores secrets shorter than six characters", () => {
    expect(spellings(["", "a", "token"])).toEqual([]);
    expect(spellings(["tokens"])).toEqual(["tokens"]);
  });

  it.each([
    '{"password":"hunter2","name":"Ann"}',
    '{"recoveryCodes":["hunter2","x]y"],"a":1}',
    '{"body":"{\\"secret\\":\\"hunter2\\",\\"a\\":1}"}',
    '{"password":"hunter2',
    "/login?page=1&user%5Bpassword%5D=hunter2&a=b",
    "?q=%7B%22password%22%3A%22hunter2%22%7D&a=b",
    "Authorization: Token hunter2\nHost: x",
    "set-cookie: session=hunter2; Path=/",
    "{ 'x-api-key' => 'hunter2' }",
    "Failed query: select ?\nparams: hunter2\nhunter2\n    at run",
  ])("masks only the secret in %j", (text) => {
    expect(mask(text, spellings(["hunter2"]))).toBe(text.replaceAll("hunter2", "***"));
  });

  const MARKS = ["\\", '"', "'", "`", ":", "{", "}", "[", "]", "=", "&", "%", "a", " ", "\n"];
  const anySecret = fc.oneof(
    fc.string({ unit: "binary", minLength: 6 }),
    fc.string({ unit: fc.constantFrom(...MARKS), minLength: 6 }),
  );

  it("masks any secret of 6 or more characters in JSON, and in JSON inside a JSON string", () => {
    fc.assert(
      fc.property(anySecret, (value) => {
        const json = JSON.stringify({ n: 1, password: value });
        for (const text of [json, JSON.stringify({ body: json })])
          expect(mask(text, spellings([value]))).not.toContain(JSON.stringify(value).slice(1, -1));
      }),
    );
  });
});

describe("secretsIn", () => {
  it("returns the values of sensitive fields, also of fields in a JSON string", () => {
    const configJson = JSON.stringify({ url: "https://x/hook", headers: { "X-Team": "value" } });
    const body = { email: "a@x", password: "one", codes: ["two", 3], inner: { mfaToken: "four" } };
    expect(secretsIn(body)).toEqual(["one", "two", "3", "four"]);
    expect(secretsIn({ configJson })).toContain("value");
  });

  it("does not loop forever when a value contains itself", () => {
    const body: Record<string, unknown> = { password: "one" };
    body["self"] = body;
    expect(secretsIn(body)).toContain("one");
  });
});

describe("isSensitive", () => {
  it.each(["SERVICE_JWT_SECRET", "ACTUATOR_TOKEN", "x-api-key", "currentPassword", "code"])(
    "is true for the name %s",
    (name) => {
      expect(isSensitive(name)).toBe(true);
    },
  );

  it.each(["statusCode", "MAIL_FROM", "tokenType", "key", "name"])(
    "is false for the name %s",
    (name) => {
      expect(isSensitive(name)).toBe(false);
    },
  );
});

describe("mask of text without secrets", () => {
  it.each([
    "463ac35c9f6413ad48485a3953bb6124",
    "2".repeat(32),
    "00-463ac35c9f6413ad48485a3953bb6124-0020000000000001-01",
    "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683",
    "0b6c2f0e-7f4e-4d5c-9f57-0d6a2d9b7a11",
    "POST /api/v1/auth/mfa/recovery-codes 200",
    "GET /api/v1/flags/{id}/strategies/{environmentId} 304",
    "https://example.com:8443/a/b?page=1&size=20#part",
    "ann@example.com",
    "2026-01-02T03:04:05.679Z",
    "D1_ERROR: UNIQUE constraint failed: user_tokens.hash: SQLITE_CONSTRAINT",
    "update `users` set `password_hash` = ?, `name` = ? where `id` = ?",
    "    at Object.fetch (file:///app/src/management/auth/password-and-token.ts:12:34)",
    "    at async node:internal/modules/esm/loader:577:26",
    "eyes and eyelets.js, basic authentication, a code of 200, statusCode: 500",
    "the token has expired; the secret is too short",
    "ALL_CAPS_NAMES_OF_VARIABLES_WITH_UNDERSCORES",
    "some-very-long-name-of-a-flag-with-many-dashes-in-it",
  ])("leaves the text unchanged: %s", (text) => {
    expect(mask(text)).toBe(text);
  });
});

describe("mask of one megabyte of hostile text", () => {
  const fill = (part: string) => part.repeat(Math.ceil(1_000_000 / part.length));

  it.each(
    [
      "a",
      "A2",
      "\\",
      '"',
      ":",
      "=",
      " :",
      "eyJ",
      "eyJa.",
      "v1.",
      "://a:",
      "bearer+",
      "basic A",
      "abcd-",
    ]
      .concat([
        "token:",
        'token"\\',
        "token:[",
        'token:[\\"',
        '\\"token\\":\\"',
        `${"a".repeat(63)}!:`,
      ])
      .concat([`${"x".repeat(39)}.`, `${"A".repeat(31)}!`, "token:{\\\\\\", "params: \n    at "]),
  )("takes less than 10 seconds of CPU time when the text repeats %j", (part) => {
    const text = fill(part);
    const ms = cpuTime(() => {
      mask(text);
      mask(`token:[${text}`);
    });
    // Allows far more than the 0.3 s that the slowest of these texts takes. A quadratic algorithm
    // would need minutes.
    expect(ms).toBeLessThan(10_000);
  });
});
