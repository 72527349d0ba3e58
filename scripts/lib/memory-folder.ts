import { existsSync, statfsSync } from "node:fs";
import process from "node:process";

/** The folder that Linux keeps in memory. */
const FOLDER = "/dev/shm";

/**
 * The least free space, in bytes, that this folder must have to be used. The databases of all tests
 * take a few hundred megabytes, and a container may have only 64 MB.
 */
const LEAST_FREE_BYTES = 2 ** 31;

/**
 * Makes this process and its children keep temporary files in memory, if the machine has room for
 * them. Otherwise the tests would wait for a third of their time until the disk has written their
 * databases.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env["TMPDIR"] !== undefined || !existsSync(FOLDER)) return;
  const { bavail, bsize } = statfsSync(FOLDER);
  if (bavail * bsize >= LEAST_FREE_BYTES) process.env["TMPDIR"] = FOLDER;
}
