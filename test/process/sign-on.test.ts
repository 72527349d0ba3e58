import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Session } from "../../scripts/lib/api.ts";
import { FORGED_EMAIL, FORGERIES, ForgingProvider, PROPER } from "./support/forged-tokens.ts";
import { type OpenProvider, openProvider } from "./support/openid-provider.ts";
import { ADMINISTRATOR, freePort, Service } from "./support/service.ts";

const EMAIL = "ann@example.com";
const MAX_REDIRECTS = 20;

const persistTo = mkdtempSync(path.join(tmpdir(), "feature-flags-"));
let service: Service;
let address: string;
let provider: OpenProvider;
let forging: ForgingProvider;
let administrator: Session | undefined;

beforeAll(async () => {
  const servicePort = await freePort();
  address = `http://localhost:${servicePort}`;
  provider = await openProvider(`${address}/api/v1/auth/sign-on/company/callback`);
  const variables = ["--var", "SIGN_ON_ALLOW_HTTP:true"];
  service = new Service(`--port=${servicePort}`, "--persist-to", persistTo, ...variables);
  forging = await new ForgingProvider().start();
  await service.started();
  administrator = await Session.open(address, ADMINISTRATOR);
});

afterAll(async () => {
  provider.server.close();
  await forging.stop();
  await service.stop("SIGINT");
  service.kill();
  rmSync(persistTo, { recursive: true });
});

/** A browser with cookies, which fills in the forms of the provider. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url);
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    const Cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join("; ");
    const headers = new Headers(init.headers);
    headers.set("Cookie", Cookie);
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  post(at: string, body: object): Promise<Response> {
    const headers = { "Content-Type": "application/json" };
    return this.send(`${address}${at}`, { method: "POST", headers, body: JSON.stringify(body) });
  }

  /** Signs in and consents at the provider. Returns the page of the dashboard where this ends. */
  async passThrough(url: string): Promise<string> {
    let at = url;
    for (let n = 0; n < MAX_REDIRECTS; n++) {
      const isForm = at.startsWith(`${provider.issuer}/interaction/`);
      const response = isForm ? await this.#submit(at) : await this.send(at);
      const location = new URL(response.headers.get("Location") ?? "", at).href;
      if (location.startsWith(`${address}/sign-in`)) return location.slice(address.length);
      at = location;
    }
    throw new Error(`The provider does not end at ${at}`);
  }

  async #submit(url: string): Promise<Response> {
    const page = await (await this.send(url)).text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "";
    const body = new URLSearchParams({ prompt, login: EMAIL, password: "any" });
    return this.send(url, { method: "POST", body });
  }
}

const addProvider = (slug: string, fields: object) =>
  administrator?.post("/settings/identity-providers", {
    slug,
    name: slug,
    type: "oidc",
    domains: ["example.com"],
    provisioning: "justInTime",
    ...fields,
  });

it("signs in with an OpenID provider over HTTP: the first sign-in creates the user, the second finds it", async () => {
  const { issuer, clientId, clientSecret } = provider;
  await addProvider("company", { issuer, clientId, clientSecret });
  const ids: number[] = [];
  for (const browser of [new Browser(), new Browser()]) {
    const begun = await browser.post("/api/v1/auth/sign-on/company", { returnTo: "/flags" });
    const { url } = (await begun.json()) as { url: string };
    expect(await browser.passThrough(url)).toBe("/sign-in/complete");
    const completed = await browser.post("/api/v1/auth/sign-on/complete", {});
    const session = (await completed.json()) as { user: { id: number }; returnTo: string };
    expect(session).toMatchObject({ returnTo: "/flags", user: { email: EMAIL, name: "Ann" } });
    ids.push(session.user.id);
  }
  expect(ids[1]).toBe(ids[0]);
});

it("refuses forged ID tokens as a problem of the provider, and accepts a clock that is 20 s off", async () => {
  await addProvider("forged", { issuer: forging.issuer, ...forging.client });
  const outcomesOf = async (tokens: typeof FORGERIES) => {
    const outcomes: string[] = [];
    for (const [name, forge] of Object.entries(tokens)) {
      forging.forge = forge;
      const browser = new Browser();
      const begun = await browser.post("/api/v1/auth/sign-on/forged", {});
      const { url } = (await begun.json()) as { url: string };
      outcomes.push(`${name}: ${await browser.passThrough(url)}`);
    }
    return outcomes;
  };
  const all = (tokens: object, outcome: string) =>
    Object.keys(tokens).map((name) => `${name}: ${outcome}`);
  expect(await outcomesOf(FORGERIES)).toEqual(all(FORGERIES, "/sign-in?problem=provider"));
  const users = await administrator?.get<{ email: string }[]>("/users");
  expect(users?.map(({ email }) => email)).not.toContain(FORGED_EMAIL);
  expect(await outcomesOf(PROPER)).toEqual(all(PROPER, "/sign-in/complete"));
});
