import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import process from "node:process";
import { buildBundle } from "./bench/bundle.ts";
import { SECRETS, startService } from "./bench/runtime.ts";
import { migrate } from "./bench/seed.ts";
import { Session } from "./lib/api.ts";
import { ROOT } from "./lib/processes.ts";

// `npm run mcp-conformance` runs the conformance scenarios of the Model Context Protocol, and the
// command line of its inspector, against the built Worker. npx loads both from the registry. Prints the
// scenarios that fail, and then ends with the exit code 1.

const CONFORMANCE = "@modelcontextprotocol/conformance";
const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

/** The scenarios that need no tools of a test server, by the release that has them. */
const SCENARIOS = {
  "0.1.16":
    "server-initialize ping tools-list prompts-list resources-list dns-rebinding-protection",
  "0.2.0-alpha.12": "http-header-validation caching sep-2164-resource-not-found",
};

const { modules } = await buildBundle(ROOT);
const runtime = await startService(ROOT, modules);
await migrate(await runtime.miniflare.getD1Database("DB"), ROOT);
const [port] = runtime.ports;
const token = await newToken(`http://127.0.0.1:${port}`);
// The conformance tool sends no token, so a proxy adds it.
const proxy = createServer((incoming, outgoing) => {
  const { method, url, headers } = incoming;
  const authorization = `Bearer ${token}`;
  const sent = {
    host: "127.0.0.1",
    port,
    method,
    path: url,
    headers: { ...headers, authorization },
  };
  const forwarded = request(sent, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on("error", () => outgoing.destroy());
  incoming.pipe(forwarded);
}).listen(0, "localhost");
await once(proxy, "listening");

const failed: string[] = [];
const endpoint = `http://localhost:${(proxy.address() as AddressInfo).port}/api/mcp`;
for (const [version, names] of Object.entries(SCENARIOS))
  for (const name of names.split(" "))
    await run(name, [`${CONFORMANCE}@${version}`, "server", "--url", endpoint, "--scenario", name]);
const inspected = `http://127.0.0.1:${port}/api/mcp`;
const header = ["--transport", "http", "--header", `Authorization: Bearer ${token}`];
for (const [name, ...args] of [
  ["inspector: list", "--method", "tools/list"],
  ["inspector: call", "--method", "tools/call", "--tool-name", "find_flags"],
] as const)
  await run(name, ["-p", INSPECTOR, "mcp-inspector", "--cli", inspected, ...header, ...args]);
proxy.close();
await runtime.miniflare.dispose();
console.log(failed.length === 0 ? "All scenarios pass." : `These fail: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs a program of the registry with the Node of the project, because the programs need Node 24. */
async function run(name: string, args: readonly string[]): Promise<void> {
  console.log(`\n== ${name}`);
  const node = path.join(ROOT, "node_modules", "node", "bin");
  const env = { ...process.env, PATH: `${node}${path.delimiter}${process.env["PATH"]}` };
  const child = spawn("npx", ["--yes", ...args], { env, stdio: "inherit" });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) failed.push(name);
}

/** Creates a project, and a token that may change it. */
async function newToken(url: string): Promise<string> {
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: currentPassword } = SECRETS;
  const session = await Session.open(url, { email, password: currentPassword });
  if (session === undefined) throw new Error("the sign-in failed");
  await session.post("/projects", { name: "Shop" });
  const asked = { name: "conformance", scopes: ["write"], currentPassword };
  return (await session.post<{ token: string }>("/tokens", asked)).token;
}
