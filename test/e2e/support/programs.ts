import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const ROOT = path.resolve(import.meta.dirname, "../../..");

const HTML = `<!doctype html><html lang="en"><title>Web shop</title><link rel="icon" href="data:,">
<div id="root"></div><script type="module" src="/program.js"></script></html>`;

/** A web site with one page. Its origin is not the origin of the service. */
export interface Site extends Disposable {
  readonly url: string;
}

/** Bundles a program for browsers, with the packages that it imports, and serves it on a page. */
export async function siteOf(program: string): Promise<Site> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: ROOT, loader: "tsx" },
    bundle: true,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    write: false,
  });
  const script = outputFiles[0]?.text;
  const server = createServer(({ url }, response) => {
    const isScript = url === "/program.js";
    response.writeHead(200, { "Content-Type": isScript ? "text/javascript" : "text/html" });
    response.end(isScript ? script : HTML);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The SDK of this repository, from its sources: the tests do not build the package. */
const alias = {
  "@feature-flags/sdk/openfeature": path.join(ROOT, "packages/sdk/src/openfeature.ts"),
  "@feature-flags/sdk": path.join(ROOT, "packages/sdk/src/index.ts"),
};

/** Runs a program in Node, with the packages that it imports. Returns what it prints. */
export async function printedBy(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    alias,
    // CommonJS packages call `require` for the modules of Node.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    write: false,
  });
  const env = { ...process.env, FORCE_COLOR: "0" };
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-"], { env });
  // Through the standard input, because a program with the SDK is too long for an argument.
  run.child.stdin?.end(outputFiles[0]?.text);
  return (await run).stdout;
}

/** Returns the program of a file in `test/e2e/client-pages`. */
export const programOf = (file: string): string => `import "./test/e2e/client-pages/${file}";`;
