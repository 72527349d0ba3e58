import { globSync } from "node:fs";

/** The texts of files by path, relative to the root of the repository. */
export type Texts = Readonly<Record<string, string>>;

/** Returns the paths of the files that name the version. */
export const filesOfRelease = (root: string): string[] => [
  "package.json",
  "package-lock.json",
  "CHANGELOG.md",
  "packages/sdk/src/version.ts",
  ...globSync(["packages/*/package.json", "examples/*/package.json", "dashboard/package.json"], {
    cwd: root,
  }),
];

/** The section of CHANGELOG.md that the next release gets. */
const UNRELEASED = "## Unreleased";

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** Returns the numbers of a version: `0.2.0`. Throws: an Error for other texts. */
function numbersOf(version: string): number[] {
  const parts = VERSION.exec(version)?.slice(1).map(Number);
  if (parts === undefined)
    throw new Error(`A version has three numbers, such as 0.2.0: ${version}`);
  return parts;
}

/** Whether `version` is later than `other`. Throws: an Error for a text that is no version. */
function isLater(version: string, other: string): boolean {
  const [one, two] = [numbersOf(version), numbersOf(other)];
  const at = one.findIndex((number, place) => number !== two[place]);
  return at !== -1 && (one[at] ?? 0) > (two[at] ?? 0);
}

interface Manifest {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

interface Lock extends Manifest {
  readonly packages: Readonly<Record<string, Manifest>>;
}

const isOwn = (name: string): boolean => name.startsWith("@feature-flags/");

/** Sets the version of a package of this repository, and of those on which it depends. */
function setVersion(manifest: Manifest, version: string): void {
  if (manifest.version !== undefined) manifest.version = version;
  for (const group of [manifest.dependencies, manifest.devDependencies])
    for (const name of Object.keys(group ?? {})) if (group && isOwn(name)) group[name] = version;
}

const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function lockAt(text: string, version: string): string {
  const lock = JSON.parse(text) as Lock;
  setVersion(lock, version);
  for (const [path, manifest] of Object.entries(lock.packages))
    if (!path.includes("node_modules")) setVersion(manifest, version);
  return print(lock);
}

function manifestAt(text: string, version: string): string {
  const manifest = JSON.parse(text) as Manifest;
  setVersion(manifest, version);
  return print(manifest);
}

/**
 * Gives the entries of the section "Unreleased" a section of their own, and leaves an empty section
 * "Unreleased" above it. Throws: an Error when there are no entries.
 */
function changelogAt(text: string, title: string): string {
  const [before, after] = text.split(`${UNRELEASED}\n`);
  if (before === undefined || after === undefined)
    throw new Error(`CHANGELOG.md lacks the section "${UNRELEASED}"`);
  const [entries = ""] = after.split(/^## /m);
  if (entries.trim() === "")
    throw new Error(`CHANGELOG.md has no entries in the section "${UNRELEASED}": write them first`);
  return `${before}${UNRELEASED}\n\n## ${title}\n${after}`;
}

/**
 * Returns the files of a release with its version.
 *
 * @param texts the manifests of all packages, `package-lock.json`, `CHANGELOG.md` and the module of
 * the SDK with its version
 * @param version the new version, such as `0.2.0`; it must be later than that of `package.json`
 * @param date the day of the release, such as `2026-01-31`
 */
export function releaseOf(texts: Texts, version: string, date: string): Texts {
  const { version: current = "" } = JSON.parse(texts["package.json"] ?? "{}") as Manifest;
  if (!isLater(version, current))
    throw new Error(`The version ${version} must be later than ${current}`);
  const change = (path: string, text: string): string => {
    if (path === "CHANGELOG.md") return changelogAt(text, `${version} (${date})`);
    if (path === "package-lock.json") return lockAt(text, version);
    if (path.endsWith("package.json")) return manifestAt(text, version);
    return text.replace(/(?<=feature-flags-js:)[\d.]+/, version);
  };
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path, change(path, text)]),
  );
}
