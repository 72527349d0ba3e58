import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { buildBundle } from "./service/bundle.ts";
import { checkOut, commitOf } from "./lib/checkout.ts";
import { runCommand } from "./lib/command.ts";
import { ROOT } from "./lib/processes.ts";
import { ENTRY, writeModules } from "./lib/worker-build.ts";

// Writes the Worker of an older commit to test/fixtures/release-before. The test of deploys and
// rollbacks runs this Worker beside the Worker of this checkout. A fixture is needed because a
// checkout may have no history.

const FIXTURE = path.join(ROOT, "test", "fixtures", "release-before");

const HELP = `Writes the Worker of an older commit to test/fixtures/release-before.

  npm run release-before -- <commit>`;

await runCommand(HELP, async ([name, ...more]) => {
  if (name === undefined || name.startsWith("-") || more.length > 0)
    throw new Error("Name one commit: npm run release-before -- <commit>");
  const commit = await commitOf(name);
  const work = await mkdtemp(path.join(tmpdir(), "release-before-"));
  try {
    await checkOut(commit, work);
    const { modules } = await buildBundle(work);
    const folder = path.join(work, "modules");
    await writeModules(folder, modules);
    // Makes one module of all, because the fixture is one file.
    const { outputFiles } = await build({
      entryPoints: [path.join(folder, ENTRY)],
      bundle: true,
      minify: true,
      format: "esm",
      external: ["cloudflare:*", "node:*"],
      write: false,
    });
    const source = outputFiles[0]?.contents ?? new Uint8Array();
    await mkdir(FIXTURE, { recursive: true });
    await writeFile(path.join(FIXTURE, "worker.js.br"), brotliCompressSync(source));
    await writeFile(path.join(FIXTURE, "release.json"), `${JSON.stringify({ commit }, null, 2)}\n`);
  } finally {
    await rm(work, { recursive: true });
  }
});
