import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { connect } from "../connect.ts";
import { counted } from "../counted.ts";
import { EXIT, Failure } from "../failure.ts";
import { readRepository } from "../files.ts";
import { annotation } from "../github.ts";
import { check, type Finding, isError, RULES } from "../refs/check.ts";
import { sarif } from "../refs/sarif.ts";
import { type Reference, scan, type ScanOptions } from "../refs/scan.ts";
import { languageOf } from "../refs/source.ts";
import type { ConnectionOptions } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import type { Flag } from "../types.ts";
import { CLI_VERSION } from "../version.ts";

interface Options extends ConnectionOptions {
  readonly alias: readonly string[];
  readonly sarif?: boolean;
  readonly github?: boolean;
}

/** Larger files are generated code, which names flags elsewhere, too. Bytes. */
const MAX_BYTES = 1_000_000;

/** The most output of `git ls-files`, bytes. */
const MAX_LIST_BYTES = 256 * 1024 * 1024;

/**
 * Finds the flags that the tracked files of the repository name, and compares them with the flags of
 * the project. Returns 1 for a key that no flag has, and for a call of another type.
 */
export async function run(
  terminal: Terminal,
  options: Options,
  ...paths: string[]
): Promise<number> {
  const { aliases = [] } = readRepository();
  const expressions = [...aliases, ...options.alias].map(expressionOf);
  const files = trackedFiles(paths);
  const connection = await connect(options, terminal);
  const flags = await connection.flags();
  const keys = new Set(flags.map(({ key }) => key));
  const references = files.flatMap((file) => referencesIn(file, { aliases: expressions, keys }));
  const findings = check(references, flags);
  if (options.sarif === true) terminal.document(sarif(findings, CLI_VERSION));
  else if (options.github === true) terminal.result({ findings }, annotations(findings));
  else {
    const stale = staleFlags(flags, references);
    terminal.result({ references, findings, stale }, report(findings, references, stale));
  }
  return findings.some(isError) ? EXIT.error : 0;
}

function expressionOf(source: string): RegExp {
  try {
    return new RegExp(source, "dg");
  } catch (error) {
    throw new Failure("usage", `An alias is no regular expression: ${(error as Error).message}`);
  }
}

interface TrackedFile {
  /** The path in the repository, with slashes. */
  readonly name: string;
  readonly location: string;
}

/** Returns the sources that git tracks. Throws: a Failure outside of a repository. */
function trackedFiles(paths: readonly string[]): readonly TrackedFile[] {
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, {
      encoding: "utf8",
      maxBuffer: MAX_LIST_BYTES,
      stdio: ["ignore", "pipe", "pipe"],
    });
  try {
    const root = git("rev-parse", "--show-toplevel").trim();
    const names = git("ls-files", "-z", "--full-name", "--", ...paths).split("\0");
    return names
      .filter((name) => name !== "" && languageOf(name) !== undefined)
      .map((name) => ({ name, location: path.join(root, name) }));
  } catch {
    throw new Failure("error", "git lists no files here", {
      remedy: "Run the command in a git repository, with paths that exist.",
    });
  }
}

function referencesIn({ name, location }: TrackedFile, options: ScanOptions): readonly Reference[] {
  const language = languageOf(name);
  // A tracked file may be deleted, and a link may lead to a folder.
  const stats = statSync(location, { throwIfNoEntry: false });
  if (language === undefined || !stats?.isFile() || stats.size > MAX_BYTES) return [];
  return scan(name, readFileSync(location, "utf8"), language, options);
}

interface StaleFlag {
  readonly key: string;
  readonly places: readonly string[];
}

const placeOf = ({ file, line }: Pick<Finding, "file" | "line">): string => `${file}:${line}`;

const staleFlags = (flags: readonly Flag[], references: readonly Reference[]): StaleFlag[] =>
  flags
    .filter(({ stale, archived }) => stale && !archived)
    .map(({ key }) => ({
      key,
      places: references.filter((reference) => reference.key === key).map(placeOf),
    }));

function report(
  findings: readonly Finding[],
  references: readonly Reference[],
  stale: readonly StaleFlag[],
): string {
  const errors = findings.filter(isError);
  const files = new Set(references.map(({ file }) => file)).size;
  const keys = new Set(references.map(({ key }) => key)).size;
  return [
    errors.map((one) => `${placeOf(one)}:${one.column} error: ${one.message} (${one.rule})`),
    stale.map(({ key, places }) => `stale: ${key}: ${places.join(", ") || "no code names it"}`),
    `${counted(references.length, "reference")} to ${counted(keys, "flag")} in ${counted(files, "file")}, ` +
      `${counted(errors.length, "error")}.`,
  ]
    .flat()
    .join("\n");
}

const annotations = (findings: readonly Finding[]): string =>
  findings
    .map(({ rule, ...finding }) => {
      const level = RULES[rule].level === "error" ? "error" : "notice";
      return annotation({ level, title: rule, ...finding });
    })
    .join("\n");
