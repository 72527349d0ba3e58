import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const THIS_FILE = path.relative(ROOT, import.meta.filename);

/** Matches files that these tests do not read: generated files, files that never change, images. */
const SKIPPED =
  /(?:^|\/)(?:package-lock\.json|openapi\.json|vectors\/.*\.json|migrations\/)|\.(?:png|svg)$/;

const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const files = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && file !== THIS_FILE && !SKIPPED.test(file))
  .filter((file) => existsSync(path.join(ROOT, file)));

/** Returns the headings of a Markdown document, without lines of code blocks. */
const headingsOf = (document: string): string[] =>
  [
    ...read(document)
      .replaceAll(/^```[\s\S]*?^```/gm, "")
      .matchAll(/^#{1,6} +(.+?) *$/gm),
  ].map(([, heading = ""]) => heading);

/** The anchor that GitHub gives a heading: lower case, hyphens for spaces, no punctuation. */
const anchorOf = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

/** Whether the document has a section of this number: "## 4. Events" or "**4.6 Webhooks.**". */
const hasSection = (document: string, number: string) =>
  read(document)
    .split("\n")
    .some((line) => line.startsWith(`**${number} `) || line.startsWith(`## ${number}. `));

/**
 * Describes what is wrong with a reference from `file` to `target`. Undefined: the target exists.
 */
function brokenLink(file: string, target: string): string | undefined {
  const [name = "", anchor] = target.split("#");
  const document = name === "" ? file : path.join(path.dirname(file), decodeURIComponent(name));
  if (!existsSync(path.join(ROOT, document))) return `${file}: ${target} does not exist`;
  if (anchor === undefined || !document.endsWith(".md")) return undefined;
  return headingsOf(document).map(anchorOf).includes(anchor)
    ? undefined
    : `${file}: ${document} has no heading #${anchor}`;
}

const MARKDOWN_LINK = /\]\((?!https?:|mailto:)([^)\s]+)\)/g;
/**
 * Matches a mention of a document or of another file in docs: "docs/use/x.md", "docs/use/x.md#anchor",
 * "docs/images/x.png", "README.md#anchor".
 */
const MENTION =
  /(?<![\w/.-])(docs\/[\w/-]+\.(?:png|yml|json)|(?:docs\/[\w/-]+|README|CONTRIBUTING)\.md(?:#[\w-]+)?)/g;
/** Matches section numbers: "docs/build/decisions.md, 4.6" and, with the same document, "4.6 and 4.7". */
const SECTIONS =
  /(docs\/[\w/-]+\.md),? (?:section )?(\d+(?:\.\d+)*(?:(?:,| and|, and) \d+\.\d+)*)/g;
/** Matches documents that are not in the repository, and section numbers without a document. */
const UNKNOWN = /\b(?:design|interface)\.md\b|\b[Dd]ecisions? \d+\.\d+|\bREADME, [A-Z]/g;

it("every document and heading that a file names exists", () => {
  const broken = files.flatMap((file) => {
    const text = read(file);
    const links = file.endsWith(".md") ? [...text.matchAll(MARKDOWN_LINK)] : [];
    return [
      ...links.map(([, target = ""]) => brokenLink(file, target)),
      ...[...text.matchAll(MENTION)].map(([, target = ""]) =>
        brokenLink("README.md", target)?.replace(/^README\.md/, file),
      ),
    ].filter((wrong) => wrong !== undefined);
  });
  expect([...new Set(broken)]).toEqual([]);
});

it("every section number that a file names exists in its document", () => {
  const broken = files.flatMap((file) =>
    [...read(file).matchAll(SECTIONS)].flatMap(([, document = "", numbers = ""]) =>
      numbers
        .split(/,? and |, /)
        .filter((number) => !existsSync(path.join(ROOT, document)) || !hasSection(document, number))
        .map((number) => `${file}: ${document} has no section ${number}`),
    ),
  );
  expect([...new Set(broken)]).toEqual([]);
});

/**
 * Matches a name with the file that has it: "`authorize` (`src/x.ts`)", "`src/x.ts` (`authorize`)" and
 * "`authorize` in `src/x.ts`". A name may be a dotted one, or that of a function with its brackets.
 */
const NAME = /`([\w$.]*[\w$])(?:\([^`]*\))?`/.source;
const FILE = /`([\w.-]+(?:\/[\w.-]+)*\.(?:ts|tsx|mjs|json|toml|md|yml|sql))`/.source;
const PAIRS = [
  new RegExp(`${NAME} (?:\\(|in )${FILE}`, "g"),
  new RegExp(`${FILE} \\(${NAME}\\)`, "g"),
];

/** Returns the file of a path from the root, or from the folder of the document. */
const fileAt = (document: string, name: string): string | undefined =>
  [name, path.join(path.dirname(document), name)].find((file) => files.includes(file));

/** Returns the pairs of a name and its file in a text. */
const pairsIn = (text: string): readonly (readonly [name: string, file: string])[] =>
  PAIRS.flatMap((pattern, n) =>
    [...text.matchAll(pattern)].map(([, one = "", other = ""]) =>
      n === 0 ? ([one, other] as const) : ([other, one] as const),
    ),
  );

/** Whether a file has a name as a whole word. Of a dotted name, the last part counts. */
const hasName = (file: string, name: string): boolean =>
  new RegExp(`(?<![\\w$])${RegExp.escape(name.split(".").at(-1) ?? name)}(?![\\w$])`).test(
    read(file),
  );

it.each([
  ["`authorize` (`src/a.ts`)", ["authorize", "src/a.ts"]],
  ["`namedBy` in `src/b.ts` names it", ["namedBy", "src/b.ts"]],
  ["`packages/c.ts` (`includes`)", ["includes", "packages/c.ts"]],
  ["`verb(call, input)` (`src/d.ts`)", ["verb", "src/d.ts"]],
])("the text %s says that a file has a name", (text, pair) => {
  expect(pairsIn(text)).toEqual([pair]);
});

it("every name is in the file that a document or a comment names for it", () => {
  const broken = files.flatMap((document) =>
    pairsIn(read(document)).flatMap(([name, target]) => {
      const file = fileAt(document, target);
      if (file === undefined)
        return target.includes("/") && document.endsWith(".md")
          ? [`${document}: ${target} does not exist`]
          : [];
      return name.includes("/") || hasName(file, name)
        ? []
        : [`${document}: ${target} has no ${name}`];
    }),
  );
  expect([...new Set(broken)]).toEqual([]);
});

/** Matches a path from the root, or the name of a TypeScript file, in backquotes. */
const PATH =
  /`((?:src|test|scripts|measure|packages|dashboard|docs|migrations)\/[\w./-]+|\w[\w-]*\.ts)`/g;

/** Whether a path is that of a file or a folder, or a name that of a file in some folder. */
const isThere = (name: string): boolean =>
  name.includes("/")
    ? existsSync(path.join(ROOT, name))
    : files.some((file) => file.endsWith(`/${name}`));

// The change log has the names of its time.
const documents = files.filter((file) => file.endsWith(".md") && file !== "CHANGELOG.md");

it.each(documents)("every file and folder that %s names exists", (document) => {
  const names = Array.from(read(document).matchAll(PATH), ([, name = ""]) => name);
  expect(names.filter((name) => !isThere(name))).toEqual([]);
});

/** Matches an example, "From `src/x.ts`:" and its code. More code of the same file may follow. */
const EXAMPLE = /From `([\w./-]+)`:\n((?:\n```ts\n[\s\S]*?\n```\n)+)/g;

/** The pages beside the code. */
const pages = documents.filter((file) => file.startsWith("src/"));

describe.each(pages)("the page %s", (page) => {
  it("has at most 60 lines", () => {
    expect(read(page).trimEnd().split("\n").length).toBeLessThanOrEqual(60);
  });

  it("has an example that is in the file which it names", () => {
    const examples = [...read(page).matchAll(EXAMPLE)].flatMap(([, file = "", blocks = ""]) =>
      Array.from(blocks.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = ""]) => ({ file, code })),
    );
    expect(examples).not.toEqual([]);
    for (const { file, code } of examples) expect(read(file)).toContain(code);
  });
});

it("no file names a document outside of the repository, or a section without its document", () => {
  const found = files.flatMap((file) =>
    [...read(file).matchAll(UNKNOWN)].map(([mention]) => `${file}: ${mention}`),
  );
  expect(found).toEqual([]);
});
