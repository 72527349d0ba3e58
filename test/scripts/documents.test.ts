import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const exists = (file: string) => existsSync(path.join(ROOT, file));

const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "packages/evaluation/vectors/README.md",
  ...readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** The folders of documents, one for each kind of reader. */
const FOLDERS = ["use", "run", "build"];

describe.each(DOCUMENTS)("%s", (document) => {
  const text = read(document);

  it("names only existing files and folders", () => {
    const named = text.matchAll(
      /(?<![\w/.])((?:src|packages|scripts|measure|test|docs|migrations|dashboard\/src|\.ci)\/[\w./-]*\w)(?![\w/]*[<{…*])/g,
    );
    const missing = [...named].map(([, file = ""]) => file).filter((file) => !exists(file));
    expect(missing).toEqual([]);
  });

  it("names only existing npm scripts", () => {
    const { scripts } = JSON.parse(read("package.json")) as {
      scripts: Readonly<Record<string, string>>;
    };
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe("the README", () => {
  it("has at most 120 lines", () => {
    expect(read("README.md").split("\n").length).toBeLessThanOrEqual(121);
  });

  it("links to the index of each folder of documents", () => {
    const readme = read("README.md");
    expect(FOLDERS.filter((folder) => !readme.includes(`(docs/${folder}/README.md)`))).toEqual([]);
  });
});

it.each(FOLDERS)("the index of docs/%s links to every other file of the folder", (folder) => {
  const index = read(`docs/${folder}/README.md`);
  const others = readdirSync(path.join(ROOT, "docs", folder)).filter(
    (name) => name !== "README.md",
  );
  expect(others.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

it("the dashboard serves every document to which it links", () => {
  const links = globSync("dashboard/src/**/*.{ts,tsx}", { cwd: ROOT }).flatMap((file) =>
    [...read(file).matchAll(/"\/docs\/([\w-]+\.md)/g)].map(([, name = ""]) => name),
  );
  const config = read("dashboard/vite.config.ts");
  const served = config.matchAll(/"docs\/[\w-]+\/([\w-]+\.md)"/g);
  const names = new Set([...served].map(([, name]) => name));
  expect(links).not.toEqual([]);
  expect(links.filter((name) => !names.has(name))).toEqual([]);
});
