import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { buildBundle } from "./service/bundle.ts";
import { newAgentToken } from "./service/agent-token.ts";
import { startService } from "./service/runtime.ts";
import { migrate } from "./service/seed.ts";
import { ROOT } from "./lib/processes.ts";

// `npm run mcp-conformance` runs the conformance scenarios of the Model Context Protocol, and the
// command line of its inspector, against the built Worker. npx loads both from the registry. Prints a line
// for each, and the whole output of those that fail. Then ends with the exit code 1 if one has failed.

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
const token = await newAgentToken(`http://127.0.0.1:${port}`);
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

let failures = 0;
const endpoint = `http://localhost:${(proxy.address() as AddressInfo).port}/api/mcp`;
for (const [version, names] of Object.entries(SCENARIOS))
  for (const name of names.split(" "))
    await run(
      `${name} (${version})`,
      [`${CONFORMANCE}@${version}`, "server", "--url", endpoint, "--scenario", name],
      checksIn,
    );
const inspected = `http://127.0.0.1:${port}/api/mcp`;
const header = ["--transport", "http", "--header", `Authorization: Bearer ${token}`];
for (const [name, resultIn, ...args] of [
  ["tools/list", toolsIn, "--method", "tools/list"],
  ["tools/call find_flags", flagsIn, "--method", "tools/call", "--tool-name", "find_flags"],
] as const)
  await run(
    `inspector: ${name}`,
    ["-p", INSPECTOR, "mcp-inspector", "--cli", inspected, ...header, ...args],
    resultIn,
  );
proxy.close();
await runtime.miniflare.dispose();
console.log(failures === 0 ? "All pass." : `${failures} failed.`);
process.exitCode = failures === 0 ? 0 : 1;

/**
 * Runs a program of the registry with the Node of the project, because the programs need Node 24, and
 * prints its result. `resultIn` reads the result from the output. A program without a result has failed,
 * whatever its exit code is.
 */
async function run(
  name: string,
  args: readonly string[],
  resultIn: (output: string) => string | undefined,
): Promise<void> {
  const node = path.join(ROOT, "node_modules", "node", "bin");
  const env = { ...process.env, PATH: `${node}${path.delimiter}${process.env["PATH"]}` };
  const child = spawn("npx", ["--yes", ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, "close")) as [number | null];
  const [output, errors] = await outputs;
  const result = resultIn(output);
  const passes = code === 0 && result !== undefined;
  console.log(`${passes ? "passes" : "FAILS "}  ${name}: ${result ?? "no result"}`);
  if (passes) return;
  failures += 1;
  console.log(`exit code ${code}\n${output}\n${errors}`);
}

/** Returns the number of checks that have passed, as the conformance tool says it. */
function checksIn(output: string): string | undefined {
  return /Passed: [1-9]\d*\/\d+, \d+ failed, \d+ warnings/.exec(output)?.[0];
}

/** The names of the tools in the JSON that the inspector prints. An error goes to stderr instead. */
function toolsIn(output: string): string | undefined {
  if (output === "") return undefined;
  const { tools } = JSON.parse(output) as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name).join(" ");
}

/** The result of `find_flags` in the JSON that the inspector prints. */
function flagsIn(output: string): string | undefined {
  if (output === "") return undefined;
  const { structuredContent } = JSON.parse(output) as { readonly structuredContent?: object };
  return structuredContent && JSON.stringify(structuredContent);
}
