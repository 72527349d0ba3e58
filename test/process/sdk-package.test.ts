import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../scripts/lib/processes.ts";

/** The maximum size of the SDK without the engine for regular expressions, bytes after gzip. */
const LIMIT = 30 * 1024;

/** The engine has this text, and no other part of the SDK. */
const ENGINE = "invalid nested repetition operator";

const DIST = mkdtempSync(path.join(tmpdir(), "feature-flags-sdk-"));

beforeAll(() => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(ROOT, "node_modules/tsdown/dist/run.mjs"), "--out-dir", DIST],
    { cwd: path.join(ROOT, "packages/sdk"), encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`The build of the SDK has failed: ${stderr}`);
});

afterAll(() => rmSync(DIST, { recursive: true }));

const read = (file: string) => readFileSync(path.join(DIST, file), "utf8");
const IMPORT = /(?:from|import)\s*["']([^"']+)["']/g;

/** The end of the name of a file, with or without types. */
const END = /\.js$/;

/** Returns a file with the files that it imports, and the names of the packages that these import. */
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
  expect(closureOf("index.d.ts").packages).toEqual([]);
  expect(closureOf("openfeature.d.ts").packages).toEqual(["@openfeature/server-sdk"]);
});
