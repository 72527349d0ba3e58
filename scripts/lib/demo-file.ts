import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DemoKeyType } from "../demo-data.ts";

export interface DemoKey {
  readonly environment: string;
  readonly keyType: DemoKeyType;
  readonly apiKey: string;
}

/**
 * The content of the demo file. It contains what the API does not return: whether the demo is
 * complete, and the API keys of the demo.
 */
export interface DemoRecord {
  /** `Session.administratorSince` of the database that contains the demo. */
  readonly database: string;
  readonly projectId: number | null;
  /**
   * Whether the demo was created completely. A completed demo is never created again, even if a
   * user deletes parts of it.
   */
  readonly complete: boolean;
  readonly keys: readonly DemoKey[];
}

export const demoFile = (persistTo: string): string => path.join(persistTo, "demo.json");

/** Reads the demo file; undefined when it is missing or not valid JSON. */
export function readDemo(file: string): DemoRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as DemoRecord;
  } catch {
    return undefined;
  }
}

/**
 * Writes the demo file, readable by the owner only, and returns `record`. Writes to a temporary
 * file first and then renames this file, so the demo file is never incomplete.
 */
export function saveDemo(file: string, record: DemoRecord): DemoRecord {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return record;
}
