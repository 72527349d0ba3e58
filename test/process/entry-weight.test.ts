import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { buildDashboard } from "../../scripts/lib/dashboard.ts";
import { ROOT } from "../../scripts/lib/processes.ts";

const DIST = path.join(ROOT, "dashboard", "dist");
const KB = 1024;
/**
 * The most files to load. Browsers send a request for each file, and only a few at the same time.
 */
const MOST_FILES = 12;

beforeAll(buildDashboard);

const read = (file: string) => readFileSync(path.join(DIST, file), "utf8");
const weightOf = (files: ReadonlySet<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0);

/** Returns the scripts and style sheets that the entry page names. */
const named = (): readonly string[] =>
  [...read("index.html").matchAll(/"\/([^"]+\.(?:js|css))"/g)].map(([, file = ""]) => file);

/**
 * Returns the files that the browser loads for `import("./<chunk>-<hash>.js")`: the chunk, its
 * static imports and their style sheets. Vite lists them in the script that has the import.
 */
function filesOf(chunk: string): readonly string[] {
  const call = new RegExp(
    String.raw`import\(.\./(${chunk}-[\w-]+\.js).\)(?:,__vite__mapDeps\(\[([\d,]*)\]\))?`,
  );
  for (const script of scripts()) {
    const source = read(script);
    const [, file, numbers = ""] = call.exec(source) ?? [];
    if (file === undefined) continue;
    const listed = [...(/m\.f=\[(.*?)\]/.exec(source)?.[1] ?? "").matchAll(/[^",`]+/g)];
    const needed = numbers === "" ? [] : numbers.split(",").map((number) => listed[Number(number)]);
    return [`assets/${file}`, ...needed.map((found) => found?.[0] ?? "")];
  }
  throw new Error(`No script imports ${chunk}`);
}

const scripts = () =>
  readdirSync(path.join(DIST, "assets"))
    .filter((file) => file.endsWith(".js"))
    .map((file) => `assets/${file}`);

/** Adds the files that scripts import statically. */
function withImports(files: Iterable<string>): ReadonlySet<string> {
  const found = new Set(files);
  for (const file of found)
    if (file.startsWith("assets/") && file.endsWith(".js"))
      for (const [, imported = ""] of read(file).matchAll(
        /(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g,
      ))
        found.add(`assets/${imported}`);
  return found;
}

const first = (...chunks: readonly string[]) =>
  withImports([...named(), ...["base", ...chunks].flatMap(filesOf)]);

it("The browser loads at most 150 KB of gzipped scripts and style sheets in a few files before the sign-in form", () => {
  const files = first("SignInPage");
  expect([...files].filter((file) => file.endsWith(".css"))).not.toEqual([]);
  expect(weightOf(files)).toBeLessThan(150 * KB);
  expect(files.size).toBeLessThan(MOST_FILES);
});

it("The browser loads at most 220 KB of gzipped scripts and style sheets in a few files before the list of flags", () => {
  const files = first("SignedInApp");
  expect([...files].map(read).join("")).toContain("/api/v1/flags/enriched");
  expect(weightOf(files)).toBeLessThan(220 * KB);
  expect(files.size).toBeLessThan(MOST_FILES);
});

it("The browser loads the parser of YAML when the user checks a file, and not with the page", () => {
  const codeOf = (chunk: string) => [...withImports(filesOf(chunk))].map(read).join("");
  const message = "Map keys must be unique";
  expect(codeOf("read-document")).toContain(message);
  expect(codeOf("ExportPage")).not.toContain(message);
});
