import { existsSync, statfsSync } from "node:fs";
import process from "node:process";

/** Where Linux has a folder that is kept in memory. */
const FOLDER = "/dev/shm";

/** The databases of all tests take a few hundred megabytes. A container may have only 64 MB. */
const LEAST_FREE_BYTES = 2 ** 31;

/**
 * Makes this process and its children keep temporary files in memory, where that is possible. The
 * tests spend a third of their time waiting until the disk has their databases.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env["TMPDIR"] !== undefined || !existsSync(FOLDER)) return;
  const { bavail, bsize } = statfsSync(FOLDER);
  if (bavail * bsize >= LEAST_FREE_BYTES) process.env["TMPDIR"] = FOLDER;
}
