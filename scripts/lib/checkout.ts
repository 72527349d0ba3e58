import { execFile } from "node:child_process";
import { mkdir, readdir, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./processes.ts";

const OWN_PACKAGES = "@feature-flags";

const call = promisify(execFile);

/**
 * Returns the id of the commit that a name, such as a branch or a tag, stands for. Throws: an Error
 * when there is no such commit.
 */
export const commitOf = async (name: string): Promise<string> =>
  (await call("git", ["rev-parse", "--verify", `${name}^{commit}`], { cwd: ROOT })).stdout.trim();

/**
 * Writes the files of a commit to an empty folder, links the packages that are installed here, and
 * returns the folder.
 */
export async function checkOut(commit: string, folder: string): Promise<string> {
  await extract(await commitOf(commit), folder);
  await linkModules(folder);
  return folder;
}

/** Writes the files of a commit to a folder. */
async function extract(tree: string, folder: string): Promise<void> {
  const archive = path.join(folder, "commit.tar");
  await call("git", ["archive", "--format=tar", "-o", archive, tree], { cwd: ROOT });
  await call("tar", ["-xf", archive, "-C", folder]);
}

/**
 * Links the packages that are installed here into a checkout, except the packages of this
 * repository, which the checkout has itself.
 */
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
