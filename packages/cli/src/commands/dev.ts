import { once } from "node:events";
import { statSync, watch } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import process from "node:process";
import { DevEnvironment } from "../dev/environment.ts";
import { rulesOfFile } from "../dev/rules.ts";
import { devServer } from "../dev/server.ts";
import { Failure } from "../failure.ts";
import { loadFile } from "../file/load.ts";
import type { Terminal } from "../terminal.ts";

interface Options {
  readonly env: string;
  readonly port: string;
  readonly set: readonly string[];
}

/** After a change of the file, the program waits this long for further ones, milliseconds. */
const SETTLE_MS = 100;

/**
 * Serves the flags of a file to SDKs and OpenFeature clients on this machine, and reads the file again
 * after each change. Ends with SIGINT and SIGTERM.
 */
export async function run(terminal: Terminal, options: Options, location: string): Promise<void> {
  const settings = settingsOf(options.set);
  const environment = new DevEnvironment();
  const load = async () => {
    const { value } = loadFile(location);
    return environment.replace(await rulesOfFile(value, options.env, settings), Date.now());
  };
  await load();
  const server = devServer(environment);
  server.listen(portOf(options.port), "127.0.0.1");
  await once(server, "listening");
  // Listens for signals before it prints the address, at which a script can already end the program.
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  terminal.result(
    { url, environment: options.env, flags: environment.current.rules.size },
    `${url} serves ${options.env} of ${location}. Every API key is accepted.`,
  );
  const watcher = watch(watchedFolder(location), (_, name) => {
    if (!isPartOf(location, name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void reload(terminal, environment, load), SETTLE_MS);
  });
  let timer: NodeJS.Timeout | undefined;
  await stopped;
  watcher.close();
  clearTimeout(timer);
  server.closeAllConnections();
  server.close();
}

/** Editors replace a file by another one, so the folder is watched, and not the file. */
const watchedFolder = (location: string): string =>
  statSync(location).isDirectory() ? location : path.dirname(location);

const isPartOf = (location: string, name: string | null): boolean =>
  name === null || name === path.basename(location) || /\.ya?ml$/.test(name);

/** Reads the file again. After an error, the rules before stay. */
async function reload(
  terminal: Terminal,
  environment: DevEnvironment,
  load: () => Promise<boolean>,
): Promise<void> {
  try {
    if (await load()) terminal.message(`Revision ${environment.current.revision}`);
  } catch (error) {
    terminal.message(`The rules stay as they are: ${(error as Error).message}`);
  }
}

/** Returns the variants of `--set flag=variant`, by the key of the flag. */
function settingsOf(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
      throw new Failure("usage", `--set needs a flag and a variant: ${text}`, {
        remedy: "Write it as --set cart=on.",
      });
    }),
  );
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new Failure("usage", `--port must be a number from 0 to 65535: ${text}`);
}
