import { writeFileSync } from "node:fs";
import type { FlagsFile } from "@feature-flags/file/file";
import { normalForm } from "@feature-flags/file/normal";
import { type Connection, connect } from "../connect.ts";
import { counted } from "../counted.ts";
import { loadFile } from "../file/load.ts";
import { updateFile } from "../file/update.ts";
import { yamlOf } from "../file/yaml-text.ts";
import type { ConnectionOptions } from "../settings.ts";
import type { Terminal } from "../terminal.ts";

interface Options extends ConnectionOptions {
  readonly omit?: string;
  readonly manager?: string;
  readonly output?: string;
  readonly update?: string;
}

/** Writes the flags of the project as a file, or brings a file up to date with the project. */
export async function run(terminal: Terminal, options: Options): Promise<void> {
  const { update, output } = options;
  if (update !== undefined) return updateFrom(terminal, options, update);
  const connection = await connect(options, terminal);
  const { omit, manager } = options;
  const file = await readExport(connection, { omit, manager });
  const text = yamlOf(normalForm(file));
  if (output === undefined) terminal.result({ file }, text.trimEnd());
  else {
    writeFileSync(output, text);
    terminal.result({ output }, `Wrote ${output}.`);
  }
  return undefined;
}

/** Reads the file of the project. Throws: a Failure. */
export async function readExport(
  { api, project }: Connection,
  query: { readonly omit?: string | undefined; readonly manager?: string | undefined },
): Promise<FlagsFile> {
  const file: unknown = await api.get(`/projects/${project.id}/export`, query);
  return file as FlagsFile;
}

async function updateFrom(terminal: Terminal, options: Options, location: string): Promise<void> {
  const loaded = loadFile(location);
  const named = { ...options, project: options.project ?? loaded.value.project };
  const connection = await connect(named, terminal);
  const project = await readExport(connection, { manager: loaded.value.manager });
  const { changed, missing, texts } = updateFile(loaded, project);
  for (const [file, text] of texts) writeFileSync(file, text);
  for (const path of missing) terminal.message(`${path} is not in the project`);
  terminal.result(
    { changed, missing },
    changed.length === 0
      ? `${location} is up to date.`
      : [...changed, `Updated ${counted(changed.length, "field")} of ${location}.`].join("\n"),
  );
}
