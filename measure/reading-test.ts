/**
 * Prints 40 comments, 20 test names and 10 error texts, drawn at random with a fixed seed, without
 * their code. A reader new to the project says what each one means. The share that is clear at
 * first reading is the measure of the prose ("How we write" in CONTRIBUTING.md).
 *
 * Usage: npm run reading-test -- [seed]
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { seedFor } from "../scripts/lib/command.ts";
import { seeded } from "../scripts/lib/seeded.ts";

const SAMPLE = { comments: 40, "test names": 20, "error texts": 10 } as const;

const seed = seedFor("reading-test");

const COMMENT = /(?<=^|\s)\/\*\*?([\s\S]*?)\*\/|((?:^[ \t]*\/\/[^\n]*\n)+)/gm;
const TEST_NAME =
  /^([ \t]*)(it|test|describe)(?:\.concurrent)?(?:\.(?:each|for)\([\s\S]{0,4000}?\))?\(\s*(["'`])((?:\\.|(?!\3)[^\\])*)\3/gm;
const ERROR_TEXT =
  /(?:new ApiError\(\s*"[A-Z_]+",\s*|conflict\(\s*|notFound\(\s*|new Error\(\s*|message:\s*)(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;

const plain = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\/\/|\*)\s?/, "").trim())
    .join(" ")
    .trim();

/**
 * Returns each test name, preceded by the names of the groups (`describe`) around the test. The
 * indentation of the source tells which groups a test is in.
 */
function testNames(text: string): string[] {
  const groups: { readonly depth: number; readonly name: string }[] = [];
  return [...text.matchAll(TEST_NAME)].flatMap(([, indentation = "", kind, , name = ""]) => {
    while ((groups.at(-1)?.depth ?? -1) >= indentation.length) groups.pop();
    if (kind === "describe") groups.push({ depth: indentation.length, name });
    return kind === "describe" ? [] : [[...groups.map((group) => group.name), name].join(" > ")];
  });
}

function collect(file: string) {
  const text = readFileSync(file, "utf8");
  const isTest = file.endsWith(".test.ts") || file.endsWith(".test.tsx");
  const isProduct = /^(src|packages|dashboard)\//.test(file) && !file.includes("/test/");
  const texts = (expression: RegExp, group: number) =>
    [...text.matchAll(expression)].map((match) => plain(match[group] ?? ""));
  return {
    comments: [...text.matchAll(COMMENT)].map((match) => plain(match[1] ?? match[2] ?? "")),
    "test names": isTest ? testNames(text) : [],
    "error texts": isProduct ? texts(ERROR_TEXT, 2) : [],
  };
}

const FOLDERS = ["src", "packages", "dashboard", "scripts", "measure", "test"];
const files = execFileSync("git", ["ls-files", ...FOLDERS], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !file.includes("fixtures/"));
const found = files.map(collect);
const random = seeded(seed);

let number = 0;
for (const [kind, size] of Object.entries(SAMPLE) as [keyof typeof SAMPLE, number][]) {
  const all = [...new Set(found.flatMap((one) => one[kind]))].filter((text) => text.length > 12);
  console.log(`\n## ${size} of ${all.length} ${kind}\n`);
  for (let n = 0; n < size; n++) {
    const [text] = all.splice(Math.floor(random() * all.length), 1);
    number += 1;
    console.log(`${number}. ${text}`);
  }
}
