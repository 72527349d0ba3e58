import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { manifestFlag, shortDescription } from "@feature-flags/client-api/manifest";
import { connect } from "../connect.ts";
import { EXIT, Failure } from "../failure.ts";
import type { ConnectionOptions } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import type { Flag } from "../types.ts";
import { typesOf } from "../typescript.ts";

interface Options extends ConnectionOptions {
  readonly manifest?: boolean;
  readonly clients?: string;
  readonly output?: string;
  readonly check?: boolean;
}

/**
 * Writes the type of all flags that are not archived, or of those that browsers get, or the manifest for the OpenFeature CLI. With
 * `--check`, writes nothing, and returns 2 if the file would change.
 */
export async function run(terminal: Terminal, options: Options): Promise<number> {
  const { clients } = options;
  if (clients !== undefined && clients !== "browser")
    throw new Failure("usage", "--clients takes the word browser, or is left out for all flags");
  const connection = await connect(options, terminal);
  const flags = await connection.flags({
    includeArchived: false,
    ...(clients && { clients: "all" }),
  });
  const text = options.manifest === true ? manifestOf(flags) : typesOf(inOrder(flags));
  const { output } = options;
  if (output === undefined) {
    terminal.result({ text }, text.trimEnd());
    return 0;
  }
  const isSame = existsSync(output) && readFileSync(output, "utf8") === text;
  if (options.check === true && !isSame) {
    terminal.result({ output, changed: true }, `${output} is out of date. Run flags types again.`);
    return EXIT.differences;
  }
  if (!isSame) writeFileSync(output, text);
  terminal.result(
    { output, changed: !isSame },
    isSame ? `${output} is up to date.` : `Wrote ${output}.`,
  );
  return 0;
}

/** Sorts flags by key, by code point, so that the file changes only where the flags do. */
const inOrder = (flags: readonly Flag[]): readonly Flag[] =>
  flags.toSorted((one, other) => (one.key < other.key ? -1 : 1));

/** Returns the manifest as `GET /api/openfeature/v0/manifest` has it: in the order of creation. */
function manifestOf(flags: readonly Flag[]): string {
  const sources = flags
    .toSorted((one, other) => one.id - other.id)
    .map((flag) => manifestFlag({ ...flag, description: shortDescription(flag.description) }));
  return `${JSON.stringify({ flags: sources }, null, 2)}\n`;
}
