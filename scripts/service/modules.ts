import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ENTRY } from "../lib/worker-build.ts";

/** A module of a Worker. */
export const moduleOf = (path: string, contents: string) => ({
  type: "ESModule" as const,
  path,
  contents,
});

export type Module = ReturnType<typeof moduleOf>;

/** Reads the modules of a built Worker from a folder. The entry is the first. */
export async function modulesIn(folder: string): Promise<Module[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".js") && name !== ENTRY);
  return Promise.all(
    [ENTRY, ...files].map(async (name) =>
      moduleOf(name, await readFile(join(folder, name), "utf8")),
    ),
  );
}
