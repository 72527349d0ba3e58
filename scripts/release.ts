import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runCommand } from "./lib/command.ts";
import { ROOT } from "./lib/processes.ts";
import { filesOfRelease, releaseOf } from "./lib/release.ts";

const HELP = `Sets the version of all packages, gives the section "Unreleased" of CHANGELOG.md this version, and packs
the SDK and the CLI. It publishes nothing and makes no commit.

  npm run release -- <version>     such as 0.2.0`;

await runCommand(HELP, ([version, ...more]) => {
  if (version === undefined || more.length > 0)
    throw new Error("Name one version: npm run release -- 0.2.0");
  const date = new Date().toISOString().slice(0, 10);
  const texts = Object.fromEntries(
    filesOfRelease(ROOT).map((file) => [file, readFileSync(path.join(ROOT, file), "utf8")]),
  );
  for (const [file, text] of Object.entries(releaseOf(texts, version, date)))
    writeFileSync(path.join(ROOT, file), text);
  const packages = ["packages/sdk", "packages/cli"].flatMap((name) => ["--workspace", name]);
  execFileSync("npm", ["pack", "--silent", ...packages], { cwd: ROOT, stdio: "inherit" });
  console.log("Nothing is published or committed.");
});
