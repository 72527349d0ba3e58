import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildPages } from "../../scripts/lib/pages.ts";
import { wrangler } from "../../scripts/lib/wrangler.ts";
import { CloudflareApi } from "./support/cloudflare-api.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** The upload token that the simulated API gives wrangler. Expires in 2286. */
const JWT = `x.${Buffer.from('{"exp":9999999999}').toString("base64url")}.y`;
const DONE = { id: "a-deployment", latest_stage: { name: "deploy", status: "success" } };

let api: CloudflareApi;
let uploaded: string;

beforeEach(async () => {
  await buildPages();
  uploaded = "";
  api = await CloudflareApi.open({
    "GET /pages/projects/:name": () => ({ production_branch: "main", deployment_configs: {} }),
    "GET /pages/projects/:name/upload-token": () => ({ jwt: JWT }),
    "POST /pages/assets/check-missing": () => [],
    "POST /pages/assets/upsert-hashes": () => true,
    "POST /pages/projects/:name/deployments": ({ body }) => {
      uploaded = body;
      return DONE;
    },
    "GET /pages/projects/:name/deployments/:id": () => DONE,
  });
});

afterEach(() => {
  api.close();
});

/** Runs the deployment command of docs/operations.md for a branch. Returns the exit code. */
function deploy(branch: string): Promise<number | null> {
  const { script, args, env } = wrangler(["pages", "deploy", "--cwd", "pages", "--branch", branch]);
  const child = spawn(process.execPath, [path.join(ROOT, "node_modules", script), ...args], {
    cwd: ROOT,
    stdio: "ignore",
    env: { ...process.env, ...env, ...api.variables, NODE_ENV: "development", VITEST: undefined },
  });
  return new Promise((resolve) => {
    child.once("close", resolve);
  });
}

describe("wrangler pages deploy", () => {
  it.each([
    ["main", "feature-flags-production"],
    ["a-branch", "feature-flags-staging"],
  ])(
    "of the branch %s binds the Worker %s, and sends only API paths to the Worker",
    async (branch, name) => {
      expect(await deploy(branch)).toBe(0);
      expect(uploaded).toContain(
        `"bindings":[{"name":"API","type":"service","service":"${name}"}]`,
      );
      expect(uploaded).toMatch(/"include": \[\s+"\/api\/\*",\s+"\/v3\/\*",/);
      expect(uploaded).toContain("Content-Security-Policy: ");
      expect(api.unknown).toEqual([]);
    },
  );
});
