import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const exists = (file: string) => existsSync(path.join(ROOT, file));

const DOCUMENTS = [
  "README.md",
  "CONTRIBUTING.md",
  "packages/evaluation/vectors/README.md",
  ...readdirSync(path.join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** Where documents may be referred to, besides the documents themselves. */
const SOURCES = ["src", "packages", "scripts", "test", "dashboard/src", "pages", ".ci"];
const SOURCE_FILES = ["wrangler.toml", ".oxlintrc.json", "directions.oxlintrc.json", "migrations"];
const GENERATED = /node_modules|\/dist\/|schema\.d\.ts$|\.(?:png|json)$/;

function filesIn(place: string): string[] {
  if (!statSync(path.join(ROOT, place)).isDirectory()) return [place];
  return readdirSync(path.join(ROOT, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .filter((file) => !GENERATED.test(file));
}

/** The anchors that GitHub makes of the headings of a document. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = read(file)
    .replace(/^```[\s\S]*?^```/gm, "")
    .matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
}

describe.each(DOCUMENTS)("%s", (document) => {
  const text = read(document);

  it("links only to existing files and headings", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target));
    const broken = links.filter((target) => {
      const [at = "", anchor] = target.split("#");
      const file = at === "" ? document : path.join(path.dirname(document), at);
      return !exists(file) || (anchor !== undefined && !anchorsOf(file).has(anchor));
    });
    expect(broken).toEqual([]);
  });

  it("names only existing paths", () => {
    const named = text.matchAll(
      /(?<![\w/.])((?:src|packages|scripts|test|pages|docs|migrations|dashboard\/src|\.ci)\/[\w./-]*\w)(?![\w/]*[<{…*])/g,
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

describe("The README", () => {
  it("has at most 250 lines", () => {
    expect(read("README.md").split("\n").length).toBeLessThanOrEqual(251);
  });

  it("links to every document", () => {
    const readme = read("README.md");
    const others = DOCUMENTS.filter((document) => document.startsWith("docs/"));
    expect(others.filter((document) => !readme.includes(`(${document})`))).toEqual([]);
  });
});

describe("References to documents", () => {
  const files = [...SOURCES, ...SOURCE_FILES].flatMap(filesIn);
  const lines = [...DOCUMENTS, ...files].flatMap((file) =>
    read(file)
      .split("\n")
      .map((line, at) => ({ place: `${file}:${at + 1}`, line })),
  );
  const found = (pattern: RegExp) =>
    lines.flatMap(({ place, line }) =>
      [...line.matchAll(pattern)].map((match) => ({ place, match })),
    );

  it("name existing documents", () => {
    const missing = found(/\bdocs\/[\w-]+\.md\b/g).filter(({ match }) => !exists(match[0]));
    expect(missing.map(({ place, match }) => `${place} ${match[0]}`)).toEqual([]);
  });

  it("name existing decisions", () => {
    const decisions = read("docs/decisions.md");
    const missing = found(/docs\/decisions\.md, ((?:\d\.\d+(?:, | and )?)+)/g).flatMap(
      ({ place, match }) =>
        (match[1]?.match(/\d\.\d+/g) ?? [])
          .filter((number) => !decisions.includes(`\n**${number} `))
          .map((number) => `${place} ${number}`),
    );
    expect(missing).toEqual([]);
  });

  it("name no document outside of the repository", () => {
    const outside = found(/\b(?:design|interface)\.md\b|\bdecisions? \d|\bREADME, [A-Z]/gi);
    expect(outside.map(({ place, match }) => `${place} ${match[0]}`)).toEqual([]);
  });
});
