import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";
import { Failure } from "./failure.ts";
import type { RepositorySettings, UserSettings } from "./settings.ts";

/** The bits of a file's mode with which others than its owner can read or write the file. */
const OTHERS = 0o077;

const REPOSITORY_FILE = ".flags.json";

/** Returns the path of the user's settings: `FLAGS_CONFIG`, or the folder that the system defines. */
export function userFile(): string {
  const { FLAGS_CONFIG, XDG_CONFIG_HOME, APPDATA } = process.env;
  if (FLAGS_CONFIG) return FLAGS_CONFIG;
  const folder =
    XDG_CONFIG_HOME || (process.platform === "win32" && APPDATA) || path.join(homedir(), ".config");
  return path.join(folder, "feature-flags", "config.json");
}

/**
 * Reads the user's settings. Throws: a Failure when others can read the file, which may have a token,
 * and when the file is not JSON.
 */
export function readUser(file = userFile()): UserSettings {
  const empty: UserSettings = { version: 1, profiles: {} };
  if (!existsSync(file)) return empty;
  if (process.platform !== "win32" && (statSync(file).mode & OTHERS) !== 0)
    throw new Failure("error", `Others can read ${file}, which may have a token`, {
      remedy: `Run chmod 600 ${file}.`,
    });
  const read = readJson(file);
  const { profiles } = read;
  if (read["version"] !== 1 || typeof profiles !== "object")
    throw new Failure("error", `${file} has a form that this version of flags does not know`, {
      remedy: "Update flags, or remove the file and run flags login.",
    });
  return read as unknown as UserSettings;
}

/** Replaces the user's settings. Only the user can read the new file. */
export function writeUser(settings: UserSettings, file = userFile()): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}`;
  writeFileSync(temporary, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(temporary, file);
}

/**
 * Reads `.flags.json` in a folder or the nearest folder above it, but not above the repository.
 * Throws: a Failure when a field has the wrong type.
 */
export function readRepository(folder = process.cwd()): RepositorySettings {
  const file = path.join(folder, REPOSITORY_FILE);
  if (existsSync(file)) return checkedRepository(readJson(file), file);
  const parent = path.dirname(folder);
  const isTop = parent === folder || existsSync(path.join(folder, ".git"));
  return isTop ? {} : readRepository(parent);
}

function checkedRepository(read: Readonly<Record<string, unknown>>, file: string) {
  const { url, aliases } = read;
  const project = typeof read["project"] === "number" ? `${read["project"]}` : read["project"];
  const wrong = [
    isMissingOr(url, "string") ? [] : "url must be a text",
    isMissingOr(project, "string") ? [] : "project must be a text",
    aliases === undefined || (Array.isArray(aliases) && aliases.every((one) => isText(one)))
      ? []
      : "aliases must be a list of regular expressions",
    ["token", "tokenCommand"].some((name) => name in read)
      ? "a token must not be in a repository: run flags login instead"
      : [],
  ].flat();
  if (wrong.length > 0) throw new Failure("usage", `${file}: ${wrong.join("; ")}`);
  return { url, project, aliases } as RepositorySettings;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isMissingOr = (value: unknown, type: string): boolean =>
  value === undefined || typeof value === type;

function readJson(file: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof read === "object" && read !== null && !Array.isArray(read))
      return read as Record<string, unknown>;
  } catch (error) {
    throw new Failure("error", `${file} is not JSON: ${(error as Error).message}`);
  }
  throw new Failure("error", `${file} must have a JSON object`);
}
