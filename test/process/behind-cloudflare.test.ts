import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "@feature-flags/sdk";
import { type Runtime, SECRETS, startService } from "../../scripts/service/runtime.ts";
import { migrate } from "../../scripts/service/seed.ts";
import { Session } from "../../scripts/lib/api.ts";
import { ROOT } from "../../scripts/lib/processes.ts";
import { type Proxy, startProxy } from "../support/cloudflare-proxy.ts";
import { workerModules } from "./support/bundle.ts";

interface WithId {
  readonly id: number;
}

let runtime: Runtime;
let proxies: Readonly<Record<"compress" | "weaken", Proxy>>;
let session: Session;
let token: string;
let apiKey: string;
let projectId: number;
let environmentId: number;

beforeAll(async () => {
  runtime = await startService(ROOT, await workerModules());
  await migrate(await runtime.miniflare.getD1Database("DB"), ROOT);
  const service = `http://127.0.0.1:${runtime.ports[0]}`;
  proxies = {
    compress: await startProxy(service, "compress"),
    weaken: await startProxy(service, "weaken"),
  };
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = SECRETS;
  const opened = await Session.open(service, { email, password });
  if (opened === undefined) throw new Error("the sign-in failed");
  session = opened;
  ({ id: projectId } = await session.post<WithId>("/projects", { name: "Web shop" }));
  ({ id: environmentId } = await session.post<WithId>("/environments", { name: "e", projectId }));
  ({ apiKey } = await session.post<{ apiKey: string }>("/api-keys", {
    name: "k",
    keyType: "SERVER",
    environmentId,
  }));
  const rights = { name: "proxy", scopes: ["write"], currentPassword: password };
  ({ token } = await session.post<{ token: string }>("/tokens", rights));
});

afterAll(async () => {
  for (const proxy of Object.values(proxies)) await proxy.close();
  await runtime.miniflare.dispose();
});

let count = 0;
const newFlag = (): Promise<WithId> => {
  const key = `flag-${(count += 1)}`;
  return session.post("/flags", { key, name: key, flagType: "RELEASE", projectId });
};

/** Sends a request through a proxy with a management token or an API key. */
const send = (
  mode: keyof typeof proxies,
  method: string,
  path: string,
  { by = token, body, ...headers }: Readonly<Record<string, string>> = {},
) =>
  fetch(`${proxies[mode].url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${by}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });

describe("behind a proxy that compresses as Cloudflare does", () => {
  it("a flag is not compressed and keeps its strong ETag, with which an update succeeds", async () => {
    const path = `/api/v1/flags/${(await newFlag()).id}`;
    const { headers } = await send("compress", "GET", path);
    expect([headers.get("ETag"), headers.get("Content-Encoding")]).toEqual(['"1"', null]);
    const update = { body: '{"description":"x"}', "If-Match": '"1"' };
    expect((await send("compress", "PUT", path, update)).status).toBe(200);
  });

  it("lists, exports and the rules of SDKs are compressed, and their weak ETags get 304", async () => {
    await newFlag();
    const list = await send("compress", "GET", `/api/v1/flags?projectId=${projectId}`);
    expect(list.headers.get("Content-Encoding")).toBe("gzip");
    for (const [path, by] of [
      [`/api/v1/projects/${projectId}/export`, token],
      ["/api/client/features", apiKey],
    ] as const) {
      const { headers } = await send("compress", "GET", path, { by });
      const tag = headers.get("ETag") ?? "";
      expect([headers.get("Content-Encoding"), tag]).toEqual([
        "gzip",
        expect.stringMatching(/^W\/"/),
      ]);
      const again = await send("compress", "GET", path, { by, "If-None-Match": tag });
      expect(again.status).toBe(304);
    }
  });

  it("an event stream arrives at once and uncompressed", async () => {
    const { headers, body } = await send("compress", "GET", "/api/client/stream", { by: apiKey });
    expect(headers.get("Content-Encoding")).toBeNull();
    const reader = body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain("event: revision");
    await reader?.cancel();
  });
});

describe("behind a proxy that makes every ETag weak", () => {
  it("updates, plans and change requests accept the weak tags, once each", async () => {
    const path = `/api/v1/flags/${(await newFlag()).id}`;
    const tag = (await send("weaken", "GET", path)).headers.get("ETag") ?? "";
    expect(tag).toBe('W/"1"');
    const update = { body: '{"description":"x"}', "If-Match": tag };
    expect((await send("weaken", "PUT", path, update)).status).toBe(200);
    expect((await send("weaken", "PUT", path, update)).status).toBe(412);

    const flag = await newFlag();
    const operations = [{ kind: "flag.archive", target: { flagId: flag.id } }];
    const body = JSON.stringify({ projectId, title: "t", operations });
    const opened = await send("weaken", "POST", "/api/v1/change-requests", { body });
    const { id }: WithId = await opened.json();
    const at = `/api/v1/change-requests/${id}/apply`;
    const apply = { body: "{}", "If-Match": opened.headers.get("ETag") ?? "" };
    expect(apply["If-Match"]).toMatch(/^W\/"/);
    expect((await send("weaken", "POST", at, apply)).status).toBe(200);
  });

  it("an SDK gets changes as deltas, and 304 while nothing changes", async () => {
    const statuses: string[] = [];
    const client = createClient({
      url: proxies.weaken.url,
      key: apiKey,
      updates: "poll",
      reportUsage: false,
      fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
        const response = await fetch(input, init);
        const { status, headers } = response;
        statuses.push(`${status} ${headers.get("X-Delta") ?? ""}`.trim());
        return response;
      },
    });
    await client.ready();
    const { id } = await newFlag();
    await session.put(`/flags/${id}/strategies`, { environmentId, enabled: true });
    await expect
      .poll(async () => {
        await client.refresh();
        return client.boolean(`flag-${count}`, false);
      })
      .toBe(true);
    expect(statuses[0]).toBe("200 full");
    expect(statuses).toContain("200 partial");
    await expect
      .poll(async () => {
        await client.refresh();
        return statuses;
      })
      .toContain("304");
    await client.close();
  });
});
