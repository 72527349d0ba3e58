import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/lib/processes.ts";
import { buildWorkerModules, ENTRY, writeModules } from "../../scripts/lib/worker-build.ts";

/** What an isolate needs only for requests of people, for jobs, or for some bodies. */
const ON_FIRST_USE = [
  "node_modules/zod/",
  "node_modules/jose/",
  "src/model/",
  "src/access/",
  "src/mail/",
  "src/changes/",
  "src/workflows/",
  "src/management/",
  "src/jobs/",
  "src/mcp/",
  "src/api.ts",
  "packages/unleash/src/feature",
];

it("an isolate that serves polls loads less than 500 KB, and nothing of the management API, the jobs or Zod", async () => {
  const { metafile } = await buildWorkerModules(ROOT);
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([file, output]) => [path.basename(file), output]),
  );
  const loaded = new Set<string>();
  const visit = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const { path: file, kind } of outputs.get(name)?.imports ?? [])
      if (kind === "import-statement" && !/^(?:node|cloudflare):/.test(file))
        visit(path.basename(file));
  };
  visit(ENTRY);
  const parts = [...loaded].map((name) => outputs.get(name));
  const sources = parts.flatMap((part) => Object.keys(part?.inputs ?? {}));
  expect(sources).toContain("src/client/features/features.ts");
  expect(sources.filter((file) => ON_FIRST_USE.some((name) => file.includes(name)))).toEqual([]);
  expect(parts.reduce((sum, part) => sum + (part?.bytes ?? 0), 0)).toBeLessThan(500_000);
});

it("a build replaces the modules of the one before, and leaves other files and equal modules alone", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "worker-build-"));
  const read = (name: string) => readFile(path.join(folder, name), "utf8");
  await writeFile(path.join(folder, "notes.txt"), "kept");
  await writeModules(folder, [
    { path: ENTRY, contents: "1" },
    { path: "old.js", contents: "1" },
  ]);
  await writeModules(folder, [
    { path: ENTRY, contents: "2" },
    { path: "new.js", contents: "2" },
  ]);
  expect((await readdir(folder)).toSorted()).toEqual(["new.js", "notes.txt", ENTRY]);
  expect([await read(ENTRY), await read("notes.txt")]).toEqual(["2", "kept"]);
});
