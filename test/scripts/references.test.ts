import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

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
/** Matches a mention of a document: "docs/x.md", "docs/x.md#anchor", "README.md#anchor". */
const MENTION = /(?<![\w/.-])((?:docs\/[\w-]+|README|CONTRIBUTING)\.md(?:#[\w-]+)?)/g;
/** Matches section numbers: "docs/decisions.md, 4.6" and "docs/decisions.md, 4.6 and 4.7". */
const SECTIONS = /(docs\/[\w-]+\.md),? (?:section )?(\d+(?:\.\d+)*(?:(?:,| and|, and) \d+\.\d+)*)/g;
/** Matches documents that are not in the repository, and section numbers without a document. */
const UNKNOWN = /\b(?:design|interface)\.md\b|\b[Dd]ecisions? \d+\.\d+|\bREADME, [A-Z]/g;

it("every document and heading that a file names exists", () => {
  const broken = files.flatMap((file) => {
    const text = read(file);
    const links = file.endsWith(".md") ? [...text.matchAll(MARKDOWN_LINK)] : [];
    return [
      ...links.map(([, target = ""]) => brokenLink(file, target)),
      ...[...text.matchAll(MENTION)].map(([, target = ""]) => {
        const wrong = brokenLink("README.md", target);
        return wrong?.replace(/^README\.md/, file);
      }),
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

it("no file names a document outside of the repository, or a section without its document", () => {
  const found = files.flatMap((file) =>
    [...read(file).matchAll(UNKNOWN)].map(([mention]) => `${file}: ${mention}`),
  );
  expect(found).toEqual([]);
});
