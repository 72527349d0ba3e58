import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { buildBundle } from "./bench/bundle.ts";
import { ROOT } from "./lib/processes.ts";

// Writes the Worker of an older commit to test/fixtures/release-before. The test of deploys and
// rollbacks runs it beside the Worker of this checkout. A fixture works in a checkout without
// history, too.

const FIXTURE = path.join(ROOT, "test", "fixtures", "release-before");
const OWN_PACKAGES = "@feature-flags";

const call = promisify(execFile);

const [name] = process.argv.slice(2);
if (name === undefined) throw new Error("npm run release-before -- <commit>");
const commit = (await call("git", ["rev-parse", "--verify", `${name}^{commit}`])).stdout.trim();
const work = await mkdtemp(path.join(tmpdir(), "release-before-"));
try {
  await extract(commit, work);
  await linkModules(work);
  const { source } = await buildBundle(work, "--minify");
  await mkdir(FIXTURE, { recursive: true });
  await writeFile(path.join(FIXTURE, "worker.js.br"), brotliCompressSync(source));
  await writeFile(path.join(FIXTURE, "release.json"), `${JSON.stringify({ commit }, null, 2)}\n`);
} finally {
  await rm(work, { recursive: true });
}

/** Writes the files of a commit to a folder. */
async function extract(tree: string, folder: string): Promise<void> {
  const archive = path.join(folder, "commit.tar");
  await call("git", ["archive", "--format=tar", "-o", archive, tree], { cwd: ROOT });
  await call("tar", ["-xf", archive, "-C", folder]);
}

/** Links the installed packages into a checkout. The packages of the service itself are its own. */
async function linkModules(checkout: string): Promise<void> {
  const [installed, linked] = [ROOT, checkout].map((root) => path.join(root, "node_modules"));
  if (installed === undefined || linked === undefined) return;
  await mkdir(path.join(linked, OWN_PACKAGES), { recursive: true });
  const names = (await readdir(installed)).filter((entry) => entry !== OWN_PACKAGES);
  await Promise.all(
    names.map((entry) => symlink(path.join(installed, entry), path.join(linked, entry))),
  );
  const packages = path.join(checkout, "packages");
  await Promise.all(
    (await readdir(packages)).map((entry) =>
      symlink(path.join(packages, entry), path.join(linked, OWN_PACKAGES, entry)),
    ),
  );
}
