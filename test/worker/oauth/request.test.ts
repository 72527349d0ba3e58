import { exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { callWith } from "../support/call-with.ts";
import { call } from "../support/client.ts";
import { signedInWithPassword } from "../support/factors.ts";
import { network } from "../support/fake-idp.ts";
import { PASSWORD } from "../support/mailbox.ts";
import { invalidFields, outcome } from "../support/outcomes.ts";
import {
  answerIn,
  ask,
  callerOfAgent,
  codeForm,
  consent,
  ISSUER,
  newClient,
  queryOf,
  REDIRECT,
  sendForm,
  VERIFIER,
} from "../support/oauth.ts";
import {
  from,
  MINUTE_MS,
  newAddress,
  SmallRate,
  stopAtHalfAMinute,
  TOO_MANY,
} from "../support/rates.ts";
import { rows } from "../support/records.ts";
import { newToken } from "../support/tokens.ts";
import { newEnvironment, newProject } from "../support/world.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Publishes a metadata document at a new host. Returns the client id and the requests that were sent. */
function publish(
  changes: object | string | ((id: string) => Response) = {},
  path = "/client.json",
) {
  const origin = `https://agent-${crypto.randomUUID()}.example.com`;
  const clientId = `${origin}${path}`;
  const document = {
    client_id: clientId,
    client_name: "Example agent",
    redirect_uris: [REDIRECT],
    ...(typeof changes === "object" && changes),
  };
  const respond = () =>
    typeof changes === "function"
      ? changes(clientId)
      : typeof changes === "string"
        ? new Response(changes)
        : Response.json(document);
  return { clientId, host: new URL(origin).host, sent: network([origin, respond]) };
}

const spelled = (id: string) => Response.json({ client_id: `${id}?`, redirect_uris: [REDIRECT] });

const problemOf = async (query: string) => {
  const { token } = await signedInWithPassword();
  return (await ask(token, query)).body.problem;
};

describe("a metadata document", () => {
  it("names its client, also in the audit trail, and is fetched once in ten minutes", async () => {
    const { clientId, host, sent } = publish();
    const { token } = await signedInWithPassword();
    const query = await queryOf(clientId);
    const { body } = await ask(token, query);
    expect(body).toEqual({
      clientId,
      clientName: "Example agent",
      clientHost: host,
      redirectHost: "agent.example.com",
      isLocal: false,
      scopes: ["read", "write"],
      problem: null,
    });
    const { code = "" } = answerIn((await consent(token, query)).body.redirectTo);
    const tokens = (await sendForm("token", codeForm(clientId, code))).body;
    const caller = await callerOfAgent(tokens.access_token);
    expect(caller).toMatchObject({
      token: { client: expect.stringMatching(/\(Example agent\)$/) },
    });
    expect(sent).toEqual(["GET /client.json"]);
  });

  it.each<[string, Parameters<typeof publish>[0], RegExp]>([
    ["redirects", () => Response.redirect("https://agent.example.com/other", 302), /redirect 302/],
    ["is larger than 5 KB", { filler: "x".repeat(5 * 1024) }, /more than 5120 bytes/],
    ["does not exist", () => new Response("no", { status: 404 }), /returned 404/],
    ["is no JSON", "<html>", /no JSON/],
    ["is no object", "[]", /valid metadata document/],
    ["has another client_id", { client_id: "https://agent.example.com/x" }, /the client_id of/],
    ["has another spelling of its client_id", spelled, /the client_id of/],
    ["has no redirect URI", { redirect_uris: [] }, /redirect_uris/],
    ["wants a secret", { token_endpoint_auth_method: "client_secret_basic" }, /_auth_method/],
    ["contains a secret", { client_secret: "a secret" }, /client_secret/],
    ["wants no code", { grant_types: ["implicit"] }, /grant type authorization_code/],
  ])("is refused if it %s, and is fetched once", async (_, changes, message) => {
    const { clientId, sent } = publish(changes);
    const { token } = await signedInWithPassword();
    const query = await queryOf(clientId);
    for (const answer of [await ask(token, query), await consent(token, query)])
      expect(answer.body.details).toEqual([
        { field: "client_id", message: expect.stringMatching(message) },
      ]);
    expect(sent).toHaveLength(1);
  });

  it("that was refused is fetched again after a minute", async () => {
    let isReady = false;
    const { clientId, sent } = publish((id) =>
      isReady ? Response.json({ client_id: id, redirect_uris: [REDIRECT] }) : new Response("no"),
    );
    const { token } = await signedInWithPassword();
    const query = await queryOf(clientId);
    expect((await ask(token, query)).status).toBe(400);
    isReady = true;
    expect((await ask(token, query)).status).toBe(400);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + MINUTE_MS });
    expect((await ask(token, query)).status).toBe(200);
    expect(sent).toHaveLength(2);
  });

  it("is 429 above the rate limit of a network, unless it is known", async () => {
    stopAtHalfAMinute();
    const first = publish();
    const { token } = await signedInWithPassword();
    const LINK_RATE = new SmallRate(0);
    const headers = from(newAddress());
    const askHere = async (clientId: string) => {
      const body = { query: await queryOf(clientId) };
      const options = { token, headers, body };
      return outcome(await callWith({ LINK_RATE }, "POST", "/api/oauth/request", options));
    };
    expect(await askHere(first.clientId)).toBe("200");
    const second = publish();
    expect(await askHere(second.clientId)).toBe(TOO_MANY);
    expect(await askHere(first.clientId)).toBe("200");
    expect(second.sent).toEqual([]);
  });

  it.each([
    "http://agent.example.com/client.json",
    "http://localhost:3000/client.json",
    "https://localhost/client.json",
    "https://127.0.0.1/client.json",
    "https://10.0.0.1/client.json",
    "https://[::1]/client.json",
    "https://169.254.169.254/latest/meta-data",
    "https://agent.internal/client.json",
    "https://0x7f000001/client.json",
    "https://agent.example.com/",
    "https://agent.example.com",
    "https://user@agent.example.com/client.json",
    "https://agent.example.com/client.json#fragment",
    "https://agent.example.com/a/../client.json",
    "https://AGENT.example.com/client.json",
    `https://agent.example.com/${"x".repeat(500)}`,
    "unknown-client",
  ])("is not fetched from %s", async (clientId) => {
    const { sent } = publish();
    const { token } = await signedInWithPassword();
    const answer = await ask(token, await queryOf(clientId));
    expect(invalidFields(answer)).toEqual(["client_id"]);
    expect(sent).toEqual([]);
  });

  it("may not give its client an invisible or empty name", async () => {
    for (const name of ["Ann\u202Enimda", "  ", ""]) {
      const { clientId, host } = publish({ client_name: name });
      const { token } = await signedInWithPassword();
      expect((await ask(token, await queryOf(clientId))).body.clientName).toBe(host);
    }
  });
});

describe("a redirect URI", () => {
  const LOCAL = "http://127.0.0.1/callback";

  it.each([
    [REDIRECT, REDIRECT],
    [LOCAL, "http://127.0.0.1:49152/callback"],
    ["http://localhost:3000/callback", "http://localhost:49152/callback"],
    ["http://[::1]/callback?tab=1", "http://[::1]:49152/callback?tab=1"],
  ])("%s permits %s", async (registered, requested) => {
    const { token } = await signedInWithPassword();
    const query = await queryOf(await newClient([registered]), { redirect_uri: requested });
    const { body } = await ask(token, query);
    expect(body.redirectHost).toBe(new URL(requested).host);
    expect(body.isLocal).toBe(registered !== REDIRECT);
  });

  it.each([
    [REDIRECT, "https://evil.example.com/callback"],
    [REDIRECT, "https://agent.example.com/callback/"],
    [REDIRECT, "https://agent.example.com/callback?x=1"],
    [REDIRECT, "https://agent.example.com:8443/callback"],
    [REDIRECT, "https://AGENT.example.com/callback"],
    [REDIRECT, "http://agent.example.com/callback"],
    [REDIRECT, `${REDIRECT}#`],
    [REDIRECT, "javascript:alert(1)"],
    [REDIRECT, ""],
    [LOCAL, "http://127.0.0.1:3000/other"],
    [LOCAL, "http://localhost:3000/callback"],
    [LOCAL, "http://127.0.0.1:3000@evil.example.com/callback"],
    [LOCAL, "http://127.0.0.2/callback"],
    [LOCAL, "https://127.0.0.1/callback"],
  ])("%s does not permit %s, and the browser stays", async (registered, requested) => {
    const { token } = await signedInWithPassword();
    const query = await queryOf(await newClient([registered]), { redirect_uri: requested });
    for (const answer of [
      await ask(token, query),
      await consent(token, query),
      await consent(token, query, { decision: "deny" }),
    ])
      expect(invalidFields(answer)).toEqual(["redirect_uri"]);
  });

  it("of a metadata document counts only if it is safe", async () => {
    const unsafe = "javascript:alert(1)";
    const { clientId } = publish({ redirect_uris: [unsafe, "not a URL", REDIRECT] });
    const { token } = await signedInWithPassword();
    const bad = await ask(token, await queryOf(clientId, { redirect_uri: unsafe }));
    expect(invalidFields(bad)).toEqual(["redirect_uri"]);
    expect((await ask(token, await queryOf(clientId))).status).toBe(200);
  });
});

describe("an authorisation request", () => {
  it.each([
    ["no response type", { response_type: "" }, "invalid_request"],
    ["the implicit flow", { response_type: "token" }, "unsupported_response_type"],
    ["a fragment for the response", { response_mode: "fragment" }, "invalid_request"],
    ["no challenge", { code_challenge: "" }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["no method of the challenge", { code_challenge_method: "" }, "invalid_request"],
    ["a challenge that is no hash", { code_challenge: VERIFIER }, "invalid_request"],
    ["no resource", { resource: "" }, "invalid_request"],
    ["another resource", { resource: "https://flags.test/api/v1" }, "invalid_target"],
    ["the resource of another host", { resource: "https://evil.test/api/mcp" }, "invalid_target"],
    ["only unknown scopes", { scope: "admin approve" }, "invalid_scope"],
  ])("with %s is refused, and the client learns it", async (_, changes, error) => {
    const clientId = await newClient();
    const query = await queryOf(clientId, changes);
    const problem = await problemOf(query);
    expect(problem.error).toBe(error);
    expect(answerIn(problem.redirectTo)).toMatchObject({ error, state: "0123", iss: ISSUER });
    const { token } = await signedInWithPassword();
    expect(outcome(await consent(token, query))).toBe("400 BAD_REQUEST");
  });

  it("with a parameter twice is refused, and the browser stays", async () => {
    const { token } = await signedInWithPassword();
    const query = `${await queryOf(await newClient())}&redirect_uri=${REDIRECT}`;
    expect(outcome(await ask(token, query))).toBe("400 BAD_REQUEST");
  });

  it.each([
    ["", ["read"]],
    ["write offline_access openid", ["write"]],
    ["write read", ["read", "write"]],
  ])("with the scope %j asks for %j", async (scope, scopes) => {
    const { token } = await signedInWithPassword();
    const { body } = await ask(token, await queryOf(await newClient(), { scope }));
    expect(body.scopes).toEqual(scopes);
  });
});

describe("a consent", () => {
  it("needs a session: neither a cookie nor a token of the user suffices", async () => {
    const { id: userId, token: session } = await signedInWithPassword();
    const query = await queryOf(await newClient());
    const body = { decision: "approve", query, scopes: ["read"], currentPassword: PASSWORD };
    const Cookie = `token=${session}`;
    const crossSite = { Cookie, Origin: "https://evil.example.com" };
    const path = "/api/oauth/consent";
    const withCookie = await call("POST", path, { body, headers: crossSite });
    expect(outcome(withCookie)).toBe("401 UNAUTHORIZED");
    const form = new URLSearchParams({ decision: "approve", query, scopes: "read" });
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const asForm = await call("POST", path, { body: form, headers: { ...crossSite, ...type } });
    expect(outcome(asForm)).toBe("401 UNAUTHORIZED");
    const { token } = await newToken({ userId, scopes: ["read", "write", "approve", "admin"] });
    expect(outcome(await call("POST", path, { token, body }))).toBe("403 FORBIDDEN");
  });

  it("shows no foreign page that it was given", async () => {
    const preflight = await exports.default.fetch(
      new Request("https://flags.test/api/oauth/consent", {
        method: "OPTIONS",
        headers: {
          Origin: "https://evil.example.com",
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "authorization,content-type",
        },
      }),
    );
    expect(preflight.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  it.each([
    ["a wrong password", { currentPassword: "wrong" }, ["currentPassword"]],
    ["no password", { currentPassword: undefined }, ["currentPassword"]],
    ["a scope for which the client did not ask", { scopes: ["write"] }, ["scopes"]],
    ["an unknown project", { projectIds: [999_999_999] }, ["projectIds"]],
    ["an unknown environment", { environmentIds: [999_999_999] }, ["environmentIds"]],
  ])("with %s is refused, and makes no code", async (_, changes, fields) => {
    const { id, token } = await signedInWithPassword();
    const query = await queryOf(await newClient(), { scope: "read" });
    expect(invalidFields(await consent(token, query, changes))).toEqual(fields);
    expect(await rows("SELECT hash FROM oauth_codes WHERE user_id = ?", id)).toEqual([]);
  });

  it("stores the projects and environments of the user", async () => {
    const { id: projectId } = await newProject();
    const { id: environmentId } = await newEnvironment(projectId);
    const { id, token } = await signedInWithPassword();
    const limits = { projectIds: [projectId], environmentIds: [environmentId] };
    await consent(token, await queryOf(await newClient()), limits);
    expect(
      await rows("SELECT project_ids, environment_ids FROM oauth_codes WHERE user_id = ?", id),
    ).toEqual([{ project_ids: `[${projectId}]`, environment_ids: `[${environmentId}]` }]);
  });

  it("that is denied tells the client, and makes no code", async () => {
    const { id, token } = await signedInWithPassword();
    const query = await queryOf(await newClient());
    const { body } = await call("POST", "/api/oauth/consent", {
      token,
      body: { decision: "deny", query },
    });
    expect(answerIn(body.redirectTo)).toMatchObject({
      error: "access_denied",
      state: "0123",
      iss: ISSUER,
    });
    expect(await rows("SELECT hash FROM oauth_codes WHERE user_id = ?", id)).toEqual([]);
  });

  it("is 402 while the user has ten open codes", async () => {
    const { token } = await signedInWithPassword();
    const query = await queryOf(await newClient());
    for (let n = 0; n < 10; n++) expect((await consent(token, query)).status).toBe(200);
    expect(outcome(await consent(token, query))).toBe("402 QUOTA_EXCEEDED");
  });
});

it.each(["/authorize?client_id=x", "/device"])("the page %s may be in no frame", async (path) => {
  const page = await exports.default.fetch(new Request(`https://flags.test${path}`));
  expect(page.headers.get("Content-Type")).toContain("text/html");
  expect(page.headers.get("X-Frame-Options")).toBe("DENY");
  expect(page.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
});
