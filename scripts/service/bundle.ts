import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { type Module, modulesIn } from "./modules.ts";

export interface Bundle {
  /** The modules of the Worker, with the entry first. */
  readonly modules: readonly Module[];
  readonly bytes: number;
  /** The gzipped size, bytes. Cloudflare limits it to 3 MB (free plan) or 10 MB (paid plan). */
  readonly gzipBytes: number;
}

/**
 * Builds the Worker's bundle, as `wrangler deploy` uploads it. `flags`: more flags for wrangler.
 * Throws: an Error with wrangler's output.
 */
export async function buildBundle(root: string, ...flags: string[]): Promise<Bundle> {
  // Creates a separate folder, because tests that run in parallel build the same bundle.
  await mkdir(join(root, ".wrangler"), { recursive: true });
  const work = await mkdtemp(join(root, ".wrangler", "bench-"));
  const outdir = join(work, "bundle");
  // Uses an empty assets folder, because the bundle does not contain the dashboard.
  const assets = join(work, "assets");
  await mkdir(assets);
  const wrangler = join(root, "node_modules", "wrangler", "bin", "wrangler.js");
  await promisify(execFile)(
    process.execPath,
    [wrangler, "deploy", "--dry-run", "--outdir", outdir, "--assets", assets, ...flags],
    { cwd: root },
  );
  const modules = await modulesIn(outdir);
  await rm(work, { recursive: true });
  const all = Buffer.from(modules.map(({ contents }) => contents).join(""));
  return { modules, bytes: all.byteLength, gzipBytes: gzipSync(all, { level: 9 }).byteLength };
}
