/** The headers of the API description, each described once; contracts refer to them by name. */

const integer = { type: "integer", minimum: 0 } as const;
const text = { type: "string" } as const;
export const EXAMPLE_TRACE = "80f198ee56343ba864fe8b2a57d3eff7";

export const HEADERS = {
  ETag: {
    description: "The entity tag of what is answered",
    schema: text,
    example: '"3"',
  },
  "X-Revision": {
    description:
      "The revision of the environment; after a write that touches several, a list such as " +
      "`8;environment=3, 5;environment=4` (RFC 9651). Absent when no evaluation can have changed.",
    schema: text,
    example: "8",
  },
  "X-Total-Count": {
    description: "How many there are in all, whatever slice was asked for",
    schema: integer,
    example: 1,
  },
  "X-Delta": {
    description: "Whether this is the full list, or only what changed",
    schema: { ...text, enum: ["full", "partial"] },
    example: "full",
  },
  "X-Next-Since": {
    description: "What to send as the next `since`",
    schema: { ...text, format: "date-time" },
    example: "2026-01-02T03:04:05.679Z",
  },
  "Cache-Control": {
    description: "Whether the answer may be kept, and must be asked for again",
    schema: text,
    example: "private, no-cache",
  },
  Warning: {
    description: "`110` when the database could not be asked for anything newer",
    schema: text,
    example: '110 - "Response is Stale"',
  },
  "Retry-After": {
    description: "How many seconds to wait",
    schema: integer,
    example: 5,
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750)",
    schema: text,
    example: "Bearer",
  },
  "X-D1-Bookmark": {
    description: "The state of the database that this answer has seen, for the next request",
    schema: text,
    example: "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683",
  },
  "X-B3-TraceId": {
    description: "The trace of this request: the caller's, if it sent a valid one",
    required: true,
    schema: { ...text, pattern: "^([0-9a-f]{16}|[0-9a-f]{32})$" },
    example: EXAMPLE_TRACE,
  },
  "X-B3-SpanId": {
    description: "The span of this request",
    required: true,
    schema: { ...text, pattern: "^[0-9a-f]{16}$" },
    example: "05e3ac9a4f6e3b90",
  },
};

export type HeaderName = keyof typeof HEADERS;

// Without examples: the page would send them with every call that is tried.
export const PARAMETERS = {
  "If-Match": {
    description:
      'Write only if this is still the entity tag, such as `"3"`, else 412. Without it the last writer wins.',
    schema: text,
  },
  "If-None-Match": {
    description: "The entity tag of what the caller has; 304 when nothing has changed",
    schema: text,
  },
  "X-App-Name": {
    description: "The application that the SDK is a part of; at most 200 characters",
    schema: text,
  },
  "X-Instance-Id": {
    description: "Which instance of it: with a `SERVER` key it is one of the client instances",
    schema: text,
  },
  "X-Sdk-Version": {
    description: "The SDK and its version",
    schema: text,
  },
  "X-Change-Reason": {
    description: "Why, for the audit trail; cut off after 500 characters",
    schema: text,
  },
  "X-D1-Bookmark": {
    description:
      "The bookmark of an earlier answer: read at least that state, at the nearest replica",
    schema: text,
  },
};

/** Every answer has them. */
export const TRACE_HEADERS = ["X-B3-TraceId", "X-B3-SpanId"] as const;

export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const parameterRef = (name: keyof typeof PARAMETERS) => ({
  $ref: `#/components/parameters/${name}`,
});
