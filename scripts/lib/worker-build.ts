import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build, type Metafile } from "esbuild";

/** A module of the Worker. `path` is relative to the folder of the modules. */
interface WorkerModule {
  readonly path: string;
  readonly contents: string;
}

/** The modules of the Worker. */
export interface WorkerBuild {
  readonly modules: readonly WorkerModule[];
  readonly metafile: Metafile;
}

/** The module with the handlers and the classes of the Worker (`main` in wrangler.toml). */
export const ENTRY = "worker.js";

/**
 * Builds the modules of the Worker. The parts that the Worker imports on first use are modules of their
 * own, because wrangler would make one module of everything, and an isolate compiles a module as a
 * whole: with one module, half of the time in which an isolate starts went into code that it never ran.
 * `minify`: false keeps names for profiles.
 */
export async function buildWorkerModules(root: string, minify = true): Promise<WorkerBuild> {
  const outdir = path.join(root, "dist", "worker");
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/worker.ts"],
    outdir,
    write: false,
    bundle: true,
    splitting: true,
    chunkNames: "[name]-[hash]",
    format: "esm",
    target: "es2024",
    // As wrangler bundles: the runtime has the modules of `nodejs_compat`.
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    // The Workers version of this file builds the schemas of both protocol versions when it is loaded,
    // for which the first call of an agent would wait. The browser version builds a schema when it is
    // needed.
    alias: {
      "@modelcontextprotocol/server/_shims":
        "./node_modules/@modelcontextprotocol/server/dist/shimsBrowser.mjs",
    },
    define: { "process.env.NODE_ENV": '"production"' },
    minify,
    sourcemap: "linked",
    metafile: true,
    logLevel: "warning",
  });
  const modules = outputFiles.map((file) => ({
    path: path.relative(outdir, file.path),
    contents: file.text,
  }));
  return { modules, metafile };
}

/**
 * Writes the modules into a folder, and removes those of an earlier build. Skips files whose contents are
 * unchanged. Replaces other files by a rename, because a second build or a running Worker may read the
 * folder.
 */
export async function writeModules(
  folder: string,
  modules: readonly WorkerModule[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { path: name, contents } of modules) {
    const file = path.join(folder, name);
    const before = await readFile(file, "utf8").catch(() => undefined);
    if (before === contents) continue;
    const temporary = `${file}.${process.pid}`;
    await writeFile(temporary, contents);
    await rename(temporary, file);
  }
  const names = new Set(modules.map((module) => module.path));
  for (const name of await readdir(folder))
    if (!names.has(name) && /\.js(?:\.map)?$/.test(name))
      await rm(path.join(folder, name), { force: true });
}
