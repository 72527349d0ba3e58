import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { filesOfRelease, releaseOf } from "../../scripts/lib/release.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const CHANGELOG =
  "# Changelog\n\n## Unreleased\n\n- A change.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n";
const texts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    filesOfRelease(ROOT).map((file) => [file, readFileSync(path.join(ROOT, file), "utf8")]),
  ),
  "CHANGELOG.md": CHANGELOG,
};
const DATE = "2026-02-03";

interface Package {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Returns all versions of packages of this repository that a manifest names. */
const versionsOf = ({ version, dependencies, devDependencies }: Package): string[] => [
  ...(version === undefined ? [] : [version]),
  ...Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => name.startsWith("@feature-flags/"))
    .map(([, range]) => range),
];

describe("a release", () => {
  const released = releaseOf(texts, "98.7.6", DATE);

  it("sets the version of every package and dependency, in the lock file, too", () => {
    const manifests = Object.entries(released)
      .filter(([file]) => file.endsWith("package.json"))
      .map(([, text]) => JSON.parse(text) as Package);
    const lock = JSON.parse(released["package-lock.json"] ?? "") as Package & {
      readonly packages: Readonly<Record<string, Package>>;
    };
    const locked = Object.entries(lock.packages).filter(([at]) => !at.includes("node_modules"));
    expect(manifests.length).toBeGreaterThanOrEqual(8);
    expect(locked.length).toBeGreaterThanOrEqual(5);
    const all = [...manifests, lock, ...locked.map(([, one]) => one)].flatMap(versionsOf);
    expect(new Set(all)).toEqual(new Set(["98.7.6"]));
    expect(released["packages/sdk/src/version.ts"]).toContain('"feature-flags-js:98.7.6"');
  });

  it("gives the unreleased entries a section, and keeps the older sections", () => {
    expect(released["CHANGELOG.md"]).toBe(
      CHANGELOG.replace("## Unreleased\n", `## Unreleased\n\n## 98.7.6 (${DATE})\n`),
    );
  });

  it("changes nothing else in the manifests and the lock file", () => {
    const current = (JSON.parse(texts["package.json"] ?? "") as Package).version ?? "";
    for (const file of Object.keys(released).filter((one) => one.endsWith(".json")))
      expect(released[file]?.replaceAll("98.7.6", current)).toBe(texts[file]);
  });

  it.each(["0.0.1", "1.0", "v1.0.0", "1.0.0-beta"])("refuses the version %s", (version) => {
    expect(() => releaseOf(texts, version, DATE)).toThrow(/version/);
  });

  it("is refused when there are no entries for it", () => {
    const empty = {
      ...texts,
      "CHANGELOG.md": "## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n",
    };
    expect(() => releaseOf(empty, "98.7.6", DATE)).toThrow("has no entries");
  });
});
