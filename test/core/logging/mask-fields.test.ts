import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mask } from "../../../src/core/logging/mask.ts";

const MARKS = ["\\", '"', "'", "`", ":", "{", "}", "[", "]", "=", "&", "%", "a", " ", "\n"];

describe("a secret is known by the name of its field:", () => {
  it.each([
    ['{"password":"hunter2","name":"Ann"}', '{"password":"***","name":"Ann"}'],
    ['{"currentPassword" : "hun\\"ter2", "a": 1}', '{"currentPassword" : "***", "a": 1}'],
    ['{"mfaToken":"hunter2\\\\","a":1}', '{"mfaToken":"***","a":1}'],
    ['{"code":123456,"a":1}', '{"code":"***","a":1}'],
    ['{"recoveryCodes":["hunter2","x]y"],"a":1}', '{"recoveryCodes":"***","a":1}'],
    ['{"token":{"value":"hunter2"},"a":1}', '{"token":"***","a":1}'],
    [
      '{"body":"{\\"secret\\":\\"hunter2\\",\\"a\\":1}"}',
      '{"body":"{\\"secret\\":\\"***\\",\\"a\\":1}"}',
    ],
    ["/login?password=hunter2&page=1#top", "/login?password=***&page=1#top"],
    ["/login?page=1&user%5Bpassword%5D=hunter2&a=b", "/login?page=1&user%5Bpassword%5D=***&a=b"],
    ["?q=%7B%22password%22%3A%22hunter2%22%7D&a=b", "?q=%7B%22password%22%3A***&a=b"],
    ["Authorization: Token hunter2\nHost: x", "Authorization: ***\nHost: x"],
    ["set-cookie: session=hunter2; Path=/", "set-cookie: ***"],
    ["webhook-signature: v1,hunter2", "webhook-signature: ***"],
    ["{ password: 'hunter2', name: 'Ann' }", "{ password: '***', name: 'Ann' }"],
    ["{ 'x-api-key' => 'hunter2' }", "{ 'x-api-key' => '***' }"],
    ["SERVICE_JWT_SECRET=hunter2 npm start", "SERVICE_JWT_SECRET=*** npm start"],
    ["password = hunter2 and more", "password = ***"],
    [
      "Failed query: select ?\nparams: hunter2\nhunter2\n    at run",
      "Failed query: select ?\nparams: ***\n    at run",
    ],
  ])("%s", (text, expected) => {
    expect(mask(text)).toBe(expected);
  });

  it("also where the text ends before its value does", () => {
    for (const text of ['{"password":"hunter2', '{"codes":["hunter2"', '{\\"token\\":\\"hunter2"}'])
      expect(mask(text)).not.toContain("hunter2");
  });

  it("at any depth of JSON in JSON", () => {
    let text = '{"password":"hunt\\"er2 and \\\\ more"}';
    for (let depth = 0; depth < 4; depth++) {
      const masked = mask(text);
      expect(masked).not.toMatch(/hunt|er2|more/);
      let inner: unknown = JSON.parse(masked);
      for (let n = 0; n < depth; n++) inner = JSON.parse((inner as { a: string }).a);
      expect(inner).toEqual({ password: "***" });
      text = JSON.stringify({ a: text });
    }
  });
});

describe("JSON in a text, whatever the secret", () => {
  const told = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(...MARKS) }),
    fc.jsonValue(),
  );

  it("stays JSON, with everything else that was in it", () => {
    fc.assert(
      fc.property(told, (secret) => {
        const text = mask(JSON.stringify({ n: 1, password: secret, name: "Ann" }));
        expect(JSON.parse(text)).toEqual({ n: 1, password: "***", name: "Ann" });
        const nested = mask(
          JSON.stringify({ body: JSON.stringify({ token: secret }), name: "Ann" }),
        );
        const { body, name } = JSON.parse(nested);
        expect([JSON.parse(body), name]).toEqual([{ token: "***" }, "Ann"]);
      }),
    );
  });

  it("is masked once, and masking it again changes nothing", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const masked = mask(text);
        expect(mask(masked)).toBe(masked);
      }),
    );
  });
});
