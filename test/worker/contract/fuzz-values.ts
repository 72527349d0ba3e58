import * as fc from "fast-check";

const MEGABYTE = 1_048_576;
const DEPTH = 50_000;

const nasty = fc.constantFrom(
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u202e\ufeff",
  "🚩".repeat(101),
  "x".repeat(513),
  "x".repeat(3000),
  "__proto__",
  "constructor",
  "'; DROP TABLE flags; --",
  "%s%n$1?1",
  '{"a":1}',
  "1e999",
);

export const strings = fc.oneof(nasty, fc.string({ unit: "binary", maxLength: 40 }));
const numbers = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.5, 1e21, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 1e308, 5e-324),
  fc.integer(),
);
const scalars = fc.oneof(strings, numbers, fc.constantFrom(null, true, false));
export const values: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: scalars },
  { weight: 1, arbitrary: fc.array(scalars, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.dictionary(strings, scalars, { maxKeys: 4 }) },
);

const constraints = fc.array(
  fc.record(
    {
      field: strings,
      operator: fc.oneof(
        fc.constantFrom("in", "notIn", "matches", "gt", "contains", "exists"),
        strings,
      ),
      contextType: fc.oneof(
        fc.constantFrom("string", "number", "semver", "date", "ip", "boolean"),
        strings,
      ),
      values: fc.oneof(fc.array(strings, { maxLength: 3 }), values),
      caseInsensitive: values,
      inverted: values,
    },
    { requiredKeys: ["field", "operator", "contextType"] },
  ),
  { maxLength: 3 },
);

const configs = fc
  .record(
    {
      url: fc.oneof(
        fc.constantFrom("https://receiver.example.com/", "https://127.1", "http://a.example/"),
        strings,
      ),
      secret: values,
      headers: fc.oneof(fc.dictionary(strings, scalars, { maxKeys: 4 }), values),
    },
    { requiredKeys: ["url"] },
  )
  .map((config) => JSON.stringify(config));

const counts = fc.oneof(fc.record({ t: numbers, f: numbers }), values);

/**
 * Generates objects with some of the fields that request bodies have, mostly with invalid values.
 */
export const fields = fc.record(
  {
    name: values,
    key: values,
    description: values,
    flagType: fc.oneof(fc.constantFrom("RELEASE", "KILLSWITCH"), values),
    tags: fc.oneof(fc.array(strings, { maxLength: 3 }), values),
    projectId: values,
    environmentId: values,
    enabled: values,
    percentage: values,
    constraints: fc.oneof(constraints, values),
    segmentIds: fc.oneof(fc.array(numbers, { maxLength: 3 }), values),
    stickiness: values,
    keyType: values,
    context: values,
    toggles: fc.oneof(fc.array(strings, { maxLength: 3 }), values),
    evaluations: fc.oneof(fc.dictionary(strings, counts, { maxKeys: 4 }), values),
    instanceId: values,
    appName: values,
    sdkVersion: values,
    revision: values,
    email: values,
    password: values,
    refreshToken: values,
    role: fc.oneof(fc.constantFrom("VIEWER", "ADMIN"), values),
    status: fc.oneof(fc.constantFrom("ACTIVE", "DISABLED"), values),
    locale: values,
    avatar: values,
    token: values,
    mfaToken: values,
    code: values,
    color: values,
    contextKey: values,
    contextType: fc.oneof(fc.constantFrom("number", "ip"), values),
    value: values,
    requireMfa: values,
    sessionTimeoutHours: values,
    type: fc.oneof(fc.constant("custom_webhook"), values),
    configJson: fc.oneof(configs, values),
    eventSubscriptionsJson: fc.oneof(
      fc.constantFrom('["flag.created"]', "[]", '["x"]', "{}", "["),
      values,
    ),
  },
  { requiredKeys: [] },
);

/**
 * Generates unusual bodies: not JSON, no object, nested too deeply, larger than 1 MiB, or JSON with
 * repeated names, names of prototypes or numbers out of range.
 */
export const brokenBodies = fc.constantFrom(
  "",
  "{",
  '{"name":',
  "null",
  "[]",
  "[[]]",
  '"text"',
  "1e400",
  '{"projectId":1e400,"environmentId":1e400,"percentage":-1e400}',
  '{"projectId":9007199254740993,"environmentId":9007199254740993}',
  '{"name":"\\ud800","key":"\\u0000"}',
  '{"__proto__":{"name":"x"},"constructor":{"prototype":{}},"toString":1}',
  '{"context":{"__proto__":{"a":1},"userId":{"toString":1}},"toggles":["__proto__","constructor"]}',
  '{"evaluations":{"__proto__":{"t":1,"f":1},"constructor":{"t":-1,"f":null}}}',
  '{"name":"a","name":"b"}',
  "\u0000",
  "\ufeff{}",
  "[".repeat(DEPTH) + "]".repeat(DEPTH),
  `{"context":${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}}`,
  `{"name":"n","constraints":${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}}`,
  `{"name":"${"x".repeat(MEGABYTE - 10)}"}`,
);

export const visibleText = (maxLength: number) =>
  fc
    .array(fc.integer({ min: 0x20, max: 0x7e }), { maxLength })
    .map((codes) => String.fromCharCode(...codes));

/** Generates header values of printable ASCII characters. */
const headerText = fc.oneof(
  fc.constantFrom("", "*", '"1"', 'W/"1"', '"1', ",", "0", "-", "f".repeat(300)),
  visibleText(40).map((text) => text.trim()),
);

/** Generates request headers with mostly invalid values. The content type is mostly JSON. */
export const headers = fc
  .record(
    {
      "If-Match": headerText,
      "If-None-Match": headerText,
      "X-B3-TraceId": headerText,
      traceparent: headerText,
      "X-D1-Bookmark": fc.oneof(
        headerText,
        fc.constantFrom(
          "ffffffff-ffffffff-ffffffff-ffffffffffffffffffffffffffffffff",
          "00000000-00000000-00000000-00000000000000000000000000000000",
          "first-primary",
        ),
      ),
      "X-Change-Reason": headerText,
      "X-App-Name": headerText,
      "X-Instance-Id": headerText,
      "X-Sdk-Version": headerText,
      "X-Sdk-Features": headerText,
      "Content-Type": fc.oneof(
        { weight: 1, arbitrary: headerText },
        { weight: 1, arbitrary: fc.constantFrom("text/plain", "application/xml", "a/b;c=d;;;") },
        { weight: 8, arbitrary: fc.constant("application/json") },
      ),
      Accept: headerText,
      Origin: fc.constantFrom("null", "https://evil.test", "garbage"),
      Cookie: headerText,
    },
    { requiredKeys: ["Content-Type"] },
  )
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, text]) => text !== "")));
