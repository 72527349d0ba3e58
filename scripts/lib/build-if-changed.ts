import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./processes.ts";

/**
 * The names of files and folders that the fingerprint of the sources omits: build output, packages,
 * and the output of `npm run client`.
 */
const NOT_SOURCES = new Set(["dist", "node_modules", "schema.d.ts"]);

export interface Build {
  /** A file that the build writes. */
  readonly output: string;
  /** The files, and the folders with the files, from which it is built. */
  readonly sources: readonly string[];
  readonly build: () => Promise<void>;
}

/** Builds, unless the output exists and was built from the same sources and packages. */
export async function buildIfChanged({ output, sources, build }: Build): Promise<void> {
  // The fingerprint of the last build. Not in `dist`, because the service serves every file in it.
  const stamp = path.join(ROOT, "node_modules", `.built-${nameOf(output)}`);
  const wanted = fingerprint(sources);
  if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  await build();
  writeFileSync(stamp, wanted);
}

const nameOf = (file: string) => path.relative(ROOT, file).replaceAll(path.sep, "-");

/** Returns a hash of the lock file, and of every file of the sources and in their folders. */
function fingerprint(sources: readonly string[]): string {
  const hash = createHash("sha256").update(readFileSync(path.join(ROOT, "package-lock.json")));
  const visit = (file: string) => {
    if (!statSync(file).isDirectory()) {
      hash.update(`\n${path.relative(ROOT, file)}\n`).update(readFileSync(file));
      return;
    }
    for (const name of readdirSync(file).toSorted())
      if (!NOT_SOURCES.has(name)) visit(path.join(file, name));
  };
  for (const source of sources) visit(source);
  return hash.digest("hex");
}
