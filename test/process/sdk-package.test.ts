import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { digestOf, ruleHash } from "@feature-flags/evaluation/digest";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { moduleOf } from "../../scripts/service/modules.ts";
import { ROOT } from "../../scripts/lib/processes.ts";

/** The maximum size of the SDK without the engine for regular expressions, bytes after gzip. */
const LIMIT = 30 * 1024;

/** A text that occurs in the engine for regular expressions, and in no other part of the SDK. */
const ENGINE = "invalid nested repetition operator";

const PACKAGE = path.join(ROOT, "packages/sdk");
const DIST = path.join(PACKAGE, "dist");

/** Runs a program to its end. Throws: an Error with the program's error output. */
function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} has failed: ${stderr}`);
}

const read = (file: string) => readFileSync(path.join(DIST, file), "utf8");
const IMPORT = /(?:from|import)\s*["']([^"']+)["']/g;

/** Matches the extension of a file name. */
const END = /\.js$/;

/**
 * Returns a file with all files that it imports, and the names of the packages that these files
 * import.
 */
function closureOf(entry: string) {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files)
    for (const [, name = ""] of read(file).matchAll(IMPORT))
      if (name.startsWith("./"))
        files.add(name.slice(2).replace(END, entry.endsWith(".d.ts") ? ".d.ts" : ".js"));
      else packages.add(name);
  return { files: [...files], packages: [...packages] };
}

it("The SDK has at most 30 KB after gzip without the engine for regular expressions", () => {
  const { files } = closureOf("index.js");
  const size = files.reduce((sum, file) => sum + gzipSync(read(file)).length, 0);
  expect(size).toBeLessThan(LIMIT);
  expect(files.filter((file) => read(file).includes(ENGINE))).toEqual([]);
  const engines = readdirSync(DIST).filter((file) => read(file).includes(ENGINE));
  expect(engines.filter((file) => file.endsWith(".js"))).toHaveLength(1);
});

it("The SDK contains its libraries, and only its provider imports OpenFeature", () => {
  expect(closureOf("index.js").packages).toEqual([]);
  expect(closureOf("openfeature.js").packages).toEqual(["@openfeature/server-sdk"]);
  expect(closureOf("binding.js").packages).toEqual([]);
  expect(closureOf("index.d.ts").packages).toEqual([]);
  expect(closureOf("binding.d.ts").packages).toEqual([]);
  expect(closureOf("openfeature.d.ts").packages).toEqual(["@openfeature/server-sdk"]);
});

const archives = mkdtempSync(path.join(tmpdir(), "feature-flags-packed-"));
/** Returns the path of the packed SDK. */
const archive = () => path.join(archives, readdirSync(archives)[0] ?? "");

beforeAll(() => {
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", archives], PACKAGE);
});

afterAll(() => rmSync(archives, { recursive: true }));

/**
 * Starts a simulated service with one flag, `new-checkout`, which is on for everybody. The
 * service offers no event streams.
 */
async function serveOneFlag() {
  const activation = { rollOut: 100, constraints: [], segments: [] };
  const rule = { key: "new-checkout", name: "New checkout", enabled: true, activation };
  const server = createServer((request, response) => {
    const isRules = request.url?.startsWith("/api/client/features") === true;
    const status = request.method === "POST" ? 202 : 200;
    response.writeHead(isRules ? status : 503, { ETag: '"1-a"', "X-Revision": "1" });
    response.end(JSON.stringify([rule]));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, rule, stop };
}

describe("the packed SDK in an empty project", () => {
  const project = mkdtempSync(path.join(tmpdir(), "feature-flags-project-"));
  const readme = readFileSync(path.join(PACKAGE, "README.md"), "utf8");
  const programs = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program = ""]) => program);

  beforeAll(() => {
    writeFileSync(path.join(project, "package.json"), '{"type": "module"}');
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", archive()], project);
  });

  afterAll(() => rmSync(project, { recursive: true }));

  /**
   * Runs a program of the README, and returns its output. Fails if the program does not end by
   * itself.
   */
  async function printed(program: string, file = "program.mjs"): Promise<string> {
    writeFileSync(path.join(project, file), program);
    const child = spawn(process.execPath, [file], { cwd: project, timeout: 60_000 });
    let text = "";
    child.stdout.on("data", (part) => void (text += String(part)));
    child.stderr.on("data", (part) => void (text += String(part)));
    await once(child, "close");
    return text.trim();
  }

  it("has no dependencies", () => {
    const installed = readdirSync(path.join(project, "node_modules/@feature-flags"));
    expect(installed).toEqual(["sdk"]);
    expect(readdirSync(path.join(project, "node_modules")).toSorted()).toEqual([
      ".package-lock.json",
      "@feature-flags",
    ]);
  });

  it("has a README whose links lead to its own sections, or have a complete address", () => {
    const packed = readFileSync(
      path.join(project, "node_modules/@feature-flags/sdk/README.md"),
      "utf8",
    );
    const anchorOf = (title: string) =>
      `#${title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-")}`;
    const titles = packed.matchAll(/^#+ (.*)$/gm);
    const anchors = new Set(Array.from(titles, ([, title = ""]) => anchorOf(title)));
    const targets = [...packed.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(targets.length).toBeGreaterThan(10);
    const others = targets.filter((target) => !anchors.has(target));
    expect(others.filter((target) => !target.startsWith("https://"))).toEqual([]);
  });

  it("runs the program of the README that writes the type of all flags", async () => {
    const types = ["boolean", "string", "integer", "float", "object"];
    const flags = types.map((type) => ({ key: `a-${type}`, name: type, type }));
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(`${request.url} ${request.headers.authorization}`);
      response.end(JSON.stringify({ flags }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const [, program = ""] = /```js\n(.*?)```/s.exec(readme) ?? [];
    const env = { FLAGS_URL: url, FLAGS_KEY: "KEY" };
    const given = `Object.assign(process.env, ${JSON.stringify(env)});\n`;
    expect(await printed(`${given}${program}`)).toBe("");
    server.closeAllConnections();
    server.close();
    expect(requests).toEqual(["/api/openfeature/v0/manifest Bearer KEY"]);
    const written = readFileSync(path.join(project, "flags.d.ts"), "utf8");
    expect(written).toContain(
      '"a-boolean": boolean;\n  "a-string": string;\n  "a-integer": number;',
    );
    expect(written).toContain('"a-float": number;\n  "a-object": JsonValue;\n}');
  });

  it("has a CommonJS form, which also loads the engine for regular expressions", async () => {
    const constraint = {
      field: "mail",
      operator: "matches",
      values: ["^a+@"],
      contextType: "string",
    };
    const activation = { rollOut: 100, constraints: [constraint], segments: [] };
    const rules = [{ key: "flag", name: "Flag", enabled: true, activation }];
    const bootstrap = { format: 1, revision: 1, etag: '"1-a"', rules };
    const program = `
      const { createClient } = require("@feature-flags/sdk");
      const { createBindingClient } = require("@feature-flags/sdk/binding");
      const options = { url: "http://127.0.0.1:9", key: "KEY", reportUsage: false };
      const logger = { warn() {}, error() {} };
      const bootstrap = ${JSON.stringify(bootstrap)};
      const client = createClient({ ...options, logger, bootstrap });
      void client.ready().then(() => {
        console.log(typeof createBindingClient, client.boolean("flag", false, { mail: "aa@b" }));
        return client.close();
      });`;
    expect(await printed(program, "program.cjs")).toBe("function true");
  });

  const [first = ""] = programs;
  const changed = 'await new Promise((resolve) => client.on("change", resolve));\n';
  const again = 'console.log(client.boolean("new-checkout", true));\nawait client.close();\n';
  const [, ofService = ""] =
    /```js\n(.*?)```/s.exec(readFileSync(path.join(ROOT, "README.md"), "utf8")) ?? [];
  const key = 'process.env.FLAGS_KEY = "YOUR-SERVER-KEY";\n';

  it.each([
    ["first program of the README", `${first}${changed}${again}`],
    [
      "program of the service's README",
      `${key}${ofService}client.on("change", () => client.close());\n`,
    ],
  ])(
    "runs the %s, which gets a change through the stream and ends after close",
    async (_, program) => {
      const requests: string[] = [];
      const activation = { rollOut: 100, constraints: [], segments: [] };
      const rule = { key: "new-checkout", name: "New checkout", enabled: true, activation };
      const nextSince = "2026-01-01T00:00:00.000Z";
      const [before, after] = [rule, { ...rule, enabled: false }].map((one) =>
        digestOf([ruleHash(JSON.stringify(one))]),
      );
      const change = { revision: 2, from: 1, etag: '"2-b"', digest: after, nextSince };
      const data = JSON.stringify({ ...change, rules: [{ ...rule, enabled: false }] });
      const server = createServer((request, response) => {
        requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
        if (request.url?.startsWith("/api/client/stream")) {
          response.writeHead(200, { "Content-Type": "text/event-stream" });
          return response.write(`retry: 1000\n\nevent: revision\nid: 2\ndata: ${data}\n\n`);
        }
        const headers = {
          ETag: '"1-a"',
          "X-Revision": "1",
          "X-Next-Since": nextSince,
          "X-Rules-Digest": before,
        };
        response.writeHead(request.method === "POST" ? 202 : 200, headers);
        return response.end(JSON.stringify([rule]));
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const local = program.replace(
        /https:\/\/flags.example.com|http:\/\/localhost:8787/,
        `http://127.0.0.1:${port}`,
      );
      expect(await printed(local)).toBe("true\nfalse");
      server.closeAllConnections();
      server.close();
      expect(requests).toEqual([
        "GET /api/client/features Bearer YOUR-SERVER-KEY",
        "GET /api/client/stream?revision=1 Bearer YOUR-SERVER-KEY",
        "POST /api/client/metrics Bearer YOUR-SERVER-KEY",
      ]);
    },
  );

  it("runs the program of the README for Workers, on the local runtime", async () => {
    const requests: string[] = [];
    const activation = { rollOut: 100, constraints: [], segments: [] };
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      const headers = { ETag: '"1-a"', "X-Revision": "1" };
      response.writeHead(request.method === "POST" ? 202 : 200, headers);
      response.end(
        JSON.stringify([{ key: "new-checkout", name: "New", enabled: true, activation }]),
      );
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const program = programs.find((one) => one.includes('updates: "manual"')) ?? "";
    const file = path.join(project, "worker.ts");
    writeFileSync(file, program.replace("https://flags.example.com", `http://127.0.0.1:${port}`));
    const built = await build({ entryPoints: [file], bundle: true, format: "esm", write: false });
    const options = {
      name: "worker",
      compatibilityDate: "2026-09-18",
      modules: [moduleOf("worker.js", built.outputFiles[0]?.text ?? "")],
    };
    const runtime = new Miniflare(convertV4MiniflareOptions({ workers: [options] }));
    try {
      const answer = await runtime.dispatchFetch("http://worker.test/");
      expect(await answer.text()).toBe("new");
      await vi.waitFor(() => expect(requests).toContain("POST /api/client/metrics"), 60_000);
    } finally {
      await runtime.dispose();
      server.closeAllConnections();
      server.close();
    }
    expect(requests[0]).toBe("GET /api/client/features");
  });

  /** Returns the program of the README that contains a text, with the address of the service. */
  const programWith = (text: string, url = "") =>
    (programs.find((one) => one.includes(text)) ?? "").replace("https://flags.example.com", url);

  const CLOSE =
    'console.log(client.boolean("new-checkout", false));\nawait client.close({ timeout: 1 });\n';

  it("runs the program of the README with a bootstrap: without the file, with the file, and without the service", async () => {
    const { url, rule, stop } = await serveOneFlag();
    const program = `${programWith("bootstrap: ", url)}${CLOSE}`;
    expect(await printed(program)).toBe("true");
    const saved = path.join(project, "flags.json");
    expect(JSON.parse(readFileSync(saved, "utf8"))).toMatchObject({ revision: 1, rules: [rule] });
    expect(await printed(program)).toBe("true");
    stop();
    expect(await printed(program)).toMatch(/^true$/m);
  });

  it("runs the program of the README for OpenFeature", async () => {
    const { url, stop } = await serveOneFlag();
    for (const name of ["server-sdk", "core"]) {
      const from = path.join(ROOT, "node_modules/@openfeature", name);
      cpSync(from, path.join(project, "node_modules/@openfeature", name), { recursive: true });
    }
    const program = programWith("FeatureFlagsProvider", url);
    expect(await printed(`${program}await OpenFeature.close();\n`)).toBe("true");
    stop();
  });

  it("runs the program of the README with a service binding, on the local runtime", async () => {
    const file = path.join(project, "binding.ts");
    writeFileSync(file, programWith("createBindingClient"));
    const external = ["cloudflare:workers"];
    const { outputFiles } = await build({
      entryPoints: [file],
      bundle: true,
      format: "esm",
      external,
      write: false,
    });
    const service = `import { WorkerEntrypoint } from "cloudflare:workers";
      export class Flags extends WorkerEntrypoint {
        rules() {
          const activation = { rollOut: 100, constraints: [], segments: [] };
          const enabled = this.ctx.props.environment === 12;
          const rule = { key: "new-checkout", name: "New", enabled, activation };
          const rules = new TextEncoder().encode(JSON.stringify([rule]));
          return { kind: "full", rules, revision: 1, etag: '"1-a"', nextSince: "", isStale: false };
        }
      }
      export default { fetch: () => new Response() };`;
    const FLAGS = { name: "feature-flags", entrypoint: "Flags", props: { environment: 12 } };
    const compatibilityDate = "2026-09-18";
    const caller = {
      name: "caller",
      compatibilityDate,
      modules: [moduleOf("caller.js", outputFiles[0]?.text ?? "")],
      serviceBindings: { FLAGS },
    };
    const modules = [moduleOf("service.js", service)];
    const callee = { name: "feature-flags", compatibilityDate, modules };
    const runtime = new Miniflare(convertV4MiniflareOptions({ workers: [caller, callee] }));
    try {
      expect(await (await runtime.dispatchFetch("http://caller.test/")).text()).toBe("new");
    } finally {
      await runtime.dispose();
    }
  });

  it("runs the program of the README for tests", async () => {
    const program = programs.find((one) => one.includes("clearOverrides")) ?? "";
    expect(await printed(`${program}console.log(client.boolean("new-checkout", false));`)).toBe(
      "true",
    );
  });
});

describe("the examples, copied out of the repository,", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-flags-examples-"));
  const copyOf = (example: string) => path.join(folder, example);

  beforeAll(() => {
    for (const example of ["node", "react", "worker"])
      cpSync(path.join(ROOT, "examples", example), copyOf(example), { recursive: true });
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it("start with the commands of the README in examples/node, without TypeScript in Node", async () => {
    const copy = copyOf("node");
    cpSync(archive(), path.join(copy, path.basename(archive())));
    const readme = readFileSync(path.join(copy, "README.md"), "utf8");
    const [, , commands = ""] = readme.split("```sh\n").map((part) => part.split("```")[0]);
    const { url, stop } = await serveOneFlag();
    const child = spawn("sh", ["-ec", commands.replace("http://localhost:8787", url)], {
      cwd: copy,
      env: {
        ...process.env,
        npm_config_offline: "true",
        // Node 20 cannot run TypeScript.
        NODE_OPTIONS: "--no-experimental-strip-types",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.on("data", (part) => void (text += String(part)));
    expect(await once(child, "close")).toEqual([0, null]);
    expect(text).toContain("new-checkout is on for ann (STATIC)");
    stop();
  });

  it.each(["react/server.tsx", "react/browser.tsx", "worker/src/index.ts"])(
    "have a tsconfig.json with which examples/%s is built without warnings",
    async (file) => {
      const { warnings } = await build({
        entryPoints: [copyOf(file)],
        bundle: true,
        format: "esm",
        packages: "external",
        write: false,
        logLevel: "silent",
      });
      expect(warnings).toEqual([]);
    },
  );
});
