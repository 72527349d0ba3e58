import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from "wrangler";
import { moduleOf } from "../../scripts/service/modules.ts";
import { type Runtime, SECRETS, startAccount } from "../../scripts/service/runtime.ts";
import { migrate } from "../../scripts/service/seed.ts";
import { ROOT } from "../../scripts/lib/processes.ts";
import type { Json } from "../worker/support/response.ts";
import { workerModules } from "./support/bundle.ts";

const EXAMPLE = path.join(ROOT, "examples/worker");

/** The entry of the service in this test, whose entrypoint fails after `GET /down`. */
const ENTRY = `import * as service from "./worker.js";
export * from "./worker.js";
let isDown = false;
export class Flags extends service.Flags {
  rules(request) {
    if (isDown) throw new Error("the service is down");
    return super.rules(request);
  }
}
export default {
  ...service.default,
  fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname !== "/down" && pathname !== "/up") return service.default.fetch(request, env, ctx);
    isDown = pathname === "/down";
    return new Response();
  },
};`;

/** Builds the example Worker, as wrangler does, with the SDK from its sources. */
async function bundleOfExample(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(EXAMPLE, "src/index.ts")],
    bundle: true,
    format: "esm",
    external: ["cloudflare:workers"],
    alias: { "@feature-flags/sdk/binding": path.join(ROOT, "packages/sdk/src/binding.ts") },
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** Returns the example with the bindings of its wrangler.toml, as a Worker of this name. */
function exampleWorker(name: string, source: string, environment?: number) {
  const { workerOptions } = workerOptionsOf(path.join(EXAMPLE, "wrangler.toml"));
  const { modulesRules: _, serviceBindings, ...options } = workerOptions;
  const { FLAGS: flags } = serviceBindings as Record<"FLAGS", { name: string; props: object }>;
  const props = { ...flags.props, ...(environment !== undefined && { environment }) };
  return {
    ...options,
    name,
    rootPath: "/",
    modules: [moduleOf("example.js", source)],
    serviceBindings: { FLAGS: { ...flags, props } },
  };
}

describe("examples/worker beside the service, in the same account,", () => {
  let runtime: Runtime;
  let token: string;
  let apiKey: string;
  let flagId: number;

  beforeAll(async () => {
    const example = await bundleOfExample();
    const modules = [moduleOf("entry.js", ENTRY), ...(await workerModules())];
    runtime = await startAccount(ROOT, { name: "feature-flags", modules }, [
      exampleWorker("example", example),
      exampleWorker("late", example),
      exampleWorker("lost", example, 987_654_321),
    ]);
    await migrate(await runtime.miniflare.getD1Database("DB"), ROOT);
    const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = SECRETS;
    ({ token } = await manage("POST /auth/login", { email, password }));
    const { id: projectId } = await manage("POST /projects", { name: "Shop" });
    const environment = await manage("POST /environments", { name: "production", projectId });
    // Throws if the first environment does not have the id 1, because the example names this id.
    if (environment.id !== 1) throw new Error(`The first environment is ${environment.id}`);
    const key = { name: "SDK", keyType: "SERVER", environmentId: 1 };
    ({ apiKey } = await manage("POST /api-keys", key));
    const flag = { key: "new-checkout", name: "Checkout", flagType: "RELEASE", projectId };
    ({ id: flagId } = await manage("POST /flags", flag));
    await setStrategy({ percentage: 50 });
  });

  afterAll(() => runtime.miniflare.dispose());

  /** Sends a request to the Worker with this index. */
  const send = (worker: number, at: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${runtime.ports[worker]}${at}`, init);

  /** Calls the management API. Throws: Error when the status is 400 or more. */
  async function manage(call: string, body: object): Promise<Json> {
    const [method = "", at = ""] = call.split(" ");
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const answer = await send(0, `/api/v1${at}`, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${call}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  const setStrategy = (change: object) =>
    manage(`PUT /flags/${flagId}/strategies`, { environmentId: 1, enabled: true, ...change });

  async function evaluated(user: string): Promise<boolean> {
    const answer = await send(0, "/api/client/evaluate", {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ context: { targetingKey: user } }),
    });
    const { evaluations } = (await answer.json()) as Json;
    return evaluations["new-checkout"].enabled;
  }

  /** Returns the text that the example shows to a user. */
  async function shown(worker: number, user = "ann"): Promise<string> {
    const answer = await send(worker, `/?user=${user}`);
    expect(answer.status).toBe(200);
    return answer.text();
  }

  it("shows every user the verdict that POST /api/client/evaluate returns", async () => {
    const users = Array.from({ length: 30 }, (_, n) => `user-${n}`);
    const texts = await Promise.all(users.map((user) => shown(1, user)));
    const expected = await Promise.all(users.map((user) => evaluated(user)));
    expect(texts).toEqual(expected.map((isNew) => (isNew ? "New checkout" : "Old checkout")));
    expect(new Set(texts).size).toBe(2);
  });

  it("shows the new value after a change of the flag", async () => {
    for (const [enabled, text] of [
      [true, "New checkout"],
      [false, "Old checkout"],
      [true, "New checkout"],
    ] as const) {
      await setStrategy({ enabled, percentage: 100 });
      await expect.poll(() => shown(1), { interval: 200 }).toBe(text);
    }
  });

  it("shows the last value while the service is down, the default when it has no rules, and changes after the outage", async () => {
    expect(await shown(1)).toBe("New checkout");
    await send(0, "/down");
    await setStrategy({ enabled: false });
    for (let n = 0; n < 10; n++) {
      expect(await shown(1)).toBe("New checkout");
      expect(await shown(2)).toBe("Old checkout");
      await new Promise((resolve) => {
        setTimeout(resolve, 300);
      });
    }
    await send(0, "/up");
    await expect.poll(() => shown(1), { interval: 200 }).toBe("Old checkout");
    await setStrategy({ enabled: true });
    await expect.poll(() => shown(2), { interval: 200 }).toBe("New checkout");
  });

  it("shows the default when the environment does not exist", async () => {
    expect(await shown(3)).toBe("Old checkout");
  });
});
