/** The headers of requests and responses in the API description. Route contracts reference them by name. */

const integer = { type: "integer", minimum: 0 } as const;
const text = { type: "string" } as const;
export const EXAMPLE_TRACE = "80f198ee56343ba864fe8b2a57d3eff7";

export const HEADERS = {
  ETag: {
    description: "The entity tag of the response",
    schema: text,
    example: '"3"',
  },
  Location: {
    description: "The path of the new resource",
    schema: text,
    example: "/api/v1/change-requests/7",
  },
  "X-Revision": {
    description:
      "The revision of the environment. After a write that changes several environments, a list such " +
      "as `8;environment=3, 5;environment=4` (RFC 9651). Absent when no evaluation can have changed.",
    schema: text,
    example: "8",
  },
  "X-Total-Count": {
    description: "The number of items in the whole list, whatever page was requested",
    schema: integer,
    example: 1,
  },
  "X-Password-Sign-In": {
    description:
      "Who may sign in with a password: `everyone`, or `breakGlass`, the administrators for emergencies",
    schema: { ...text, enum: ["everyone", "breakGlass"] },
    example: "everyone",
  },
  "X-Delta": {
    description: "`full`: the whole list of rules; `partial`: only the rules that changed",
    schema: { ...text, enum: ["full", "partial"] },
    example: "full",
  },
  "X-Rules-Digest": {
    description:
      "The digest of all rules of the environment. A client that has applied a delta compares it with " +
      "the digest of its own rules, and fetches all rules if they differ.",
    schema: { ...text, pattern: "^[0-9a-f]{1,8}$" },
    example: "5d2c1f0a",
  },
  "X-Next-Since": {
    description: "Send this as `since` with the next request",
    schema: { ...text, format: "date-time" },
    example: "2026-01-02T03:04:05.679Z",
  },
  "Cache-Control": {
    description:
      "Whether a cache may keep the response and must revalidate it, and whether a proxy may compress it",
    schema: text,
    example: "private, no-cache",
  },
  Warning: {
    description:
      "`110`: newer rules may exist, because the database is unavailable, or because the rules are " +
      "older than `X-Min-Revision`",
    schema: text,
    example: '110 - "Response is Stale"',
  },
  "X-Report-Interval": {
    description:
      "How long an SDK with an open event stream waits before its next usage report, seconds",
    schema: integer,
    example: 300,
  },
  "X-Manifest-Capabilities": {
    description: "What the API key may do with the manifest: always `read`",
    schema: text,
    example: "read",
  },
  "Retry-After": {
    description: "Seconds to wait before the next request",
    schema: integer,
    example: 5,
  },
  "WWW-Authenticate": {
    description: "The authentication scheme (RFC 6750)",
    schema: text,
    example: "Bearer",
  },
  "X-D1-Bookmark": {
    description:
      "The state of the database that this response reflects. Send it with the next request.",
    schema: text,
    example: "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683",
  },
  "X-B3-TraceId": {
    description: "The trace id of the request: the caller's, if it sent a valid one",
    required: true,
    schema: { ...text, pattern: "^([0-9a-f]{16}|[0-9a-f]{32})$" },
    example: EXAMPLE_TRACE,
  },
  "X-B3-SpanId": {
    description: "The span id of the request",
    required: true,
    schema: { ...text, pattern: "^[0-9a-f]{16}$" },
    example: "05e3ac9a4f6e3b90",
  },
};

export type HeaderName = keyof typeof HEADERS;

// The request headers. They have no examples, because the interactive API page would send the
// examples with every request that a reader tries.
export const PARAMETERS = {
  "If-Match": {
    description:
      'Write only if the entity tag is still this one, such as `"3"` or its weak form; otherwise 412. Without it ' +
      "the last writer wins.",
    schema: text,
  },
  "If-None-Match": {
    description: "The entity tag of the response that the caller holds; 304 if it is still current",
    schema: text,
  },
  "X-Min-Revision": {
    description:
      "The response must have this revision or a newer one: `X-Revision` of a write, or the revision " +
      "of an event. The service waits for up to 2 seconds. A response that may still be older has " +
      "`Warning: 110`.",
    schema: text,
  },
  "Last-Event-ID": {
    description:
      "The `id` of the last event. `EventSource` sends it when it connects again. A value that is not " +
      "a revision counts as missing.",
    schema: text,
  },
  "X-App-Name": {
    description: "The application that uses the SDK; at most 200 characters",
    schema: text,
  },
  "X-Instance-Id": {
    description:
      "The instance of the application. With a `SERVER` key it appears among the client instances.",
    schema: text,
  },
  "X-Sdk-Version": {
    description: "The name and version of the SDK",
    schema: text,
  },
  "X-Sdk-Features": {
    description:
      "What the SDK can evaluate, as a list with commas; at most 200 characters. `rules`: ordered " +
      "rules. An SDK that fetches rules without this header counts as one without features.",
    schema: text,
  },
  "X-Change-Reason": {
    description: "The reason for the change, for the audit trail; cut off after 500 characters",
    schema: text,
  },
  "X-Approval-Bypass": {
    description:
      "`true`: an administrator bypasses the approval that a protected environment requires. Needs " +
      "`X-Change-Reason`. Ignored where no approval is required.",
    schema: text,
  },
  "X-D1-Bookmark": {
    description:
      "The bookmark of an earlier response. A GET then reads at least that state, from the nearest " +
      "replica. Other methods ignore the bookmark and read from the primary database.",
    schema: text,
  },
};

/** The names of the trace headers, which every API response has. */
export const TRACE_HEADERS = ["X-B3-TraceId", "X-B3-SpanId"] as const;

/** Returns references to response headers, for a route contract. */
export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Returns a reference to a request header, for a route contract. */
export const parameterRef = (name: keyof typeof PARAMETERS) => ({
  $ref: `#/components/parameters/${name}`,
});
