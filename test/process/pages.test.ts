import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPages } from "../../scripts/lib/pages.ts";
import { wrangler } from "../../scripts/lib/wrangler.ts";
import { ADMINISTRATOR, freePort, Service, until } from "./support/service.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const READY_MS = 240_000;
const TRACE_ID = "463ac35c9f6413ad48485a3953bb6124";

const persistTo = mkdtempSync(path.join(tmpdir(), "feature-flags-"));
let service: Service;
let pages: ChildProcess;
let origin: string;

/**
 * Starts `wrangler pages dev` with the Worker registry of `npm start`, so that Pages finds the
 * Worker.
 */
async function startPages(): Promise<void> {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const { script, args, env } = wrangler(
    ["pages", "dev", "--cwd", "pages", "--port", String(port), "--persist-to", persistTo],
    { WRANGLER_REGISTRY_PATH: path.join(persistTo, "registry") },
  );
  pages = spawn(process.execPath, [path.join(ROOT, "node_modules", script), ...args], {
    cwd: ROOT,
    detached: true,
    stdio: "ignore",
    env: { ...process.env, ...env, NODE_ENV: "development", VITEST: undefined },
  });
  const answers = () =>
    fetch(`${origin}/v3/api-docs.yaml`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until("the Worker answers through Pages", READY_MS, answers);
}

beforeAll(async () => {
  await buildPages();
  service = await new Service(`--port=${await freePort()}`, "--persist-to", persistTo).started();
  await startPages();
});

afterAll(() => {
  if (pages.pid !== undefined) process.kill(-pages.pid, "SIGKILL");
  service.kill();
  rmSync(persistTo, { recursive: true, force: true });
});

describe("The dashboard on Pages", () => {
  it("forwards method, headers and body to the API on the same origin", async () => {
    const response = await fetch(`${origin}/api/v1/auth/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-B3-TraceId": TRACE_ID },
      body: JSON.stringify(ADMINISTRATOR),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("X-B3-TraceId")).toBe(TRACE_ID);
    expect(await response.json()).toMatchObject({ user: { email: ADMINISTRATOR.email } });
  });

  it("forwards the query and If-None-Match to the API, and returns the status of the API", async () => {
    const key = /Bearer ([\w-]+)/.exec(service.curlLines[0] ?? "")?.[1] ?? "";
    const features = (query: string, headers = {}) =>
      fetch(`${origin}/api/client/features${query}`, {
        headers: { Authorization: `Bearer ${key}`, ...headers },
      });
    const all = await features("");
    const etag = all.headers.get("ETag") ?? "";
    expect(etag).not.toBe("");
    expect((await features("", { "If-None-Match": etag })).status).toBe(304);
    expect((await features("?since=nonsense")).status).toBe(400);
    expect((await fetch(`${origin}/api/v1/nothing`)).status).toBe(404);
  });

  it.each(["/actuator/health", "/v3/api-docs", "/swagger-ui.html"])(
    "serves %s with the same content type as the Worker",
    async (at) => {
      const [here, there] = await Promise.all(
        [origin, service.printed("Address")].map((base) => fetch(base + at)),
      );
      expect(here?.status).toBe(200);
      expect(here?.headers.get("Content-Type")).toBe(there?.headers.get("Content-Type"));
    },
  );

  it("serves the entry page for the path of a page, with the same security headers as the Worker", async () => {
    const [here, there] = await Promise.all(
      [origin, service.printed("Address")].map((base) => fetch(`${base}/projects/1`)),
    );
    expect(here?.status).toBe(200);
    expect(await here?.text()).toMatch(/<!doctype html>/i);
    for (const name of ["Content-Security-Policy", "X-Frame-Options", "X-Content-Type-Options"]) {
      expect(here?.headers.get(name)).not.toBeNull();
      expect(here?.headers.get(name)).toBe(there?.headers.get(name));
    }
  });

  it("serves its pages, and returns 503 for paths of the API, while the Worker is stopped", async () => {
    expect(await service.stop("SIGTERM")).toBe(0);
    expect((await fetch(`${origin}/api/v1/nothing`)).status).toBe(503);
    expect((await fetch(`${origin}/projects/1`)).status).toBe(200);
  });
});
