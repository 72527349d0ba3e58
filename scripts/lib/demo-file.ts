import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DemoKeyType } from "../demo-data.ts";

export interface DemoKey {
  readonly environment: string;
  readonly keyType: DemoKeyType;
  readonly apiKey: string;
}

/** What only this machine can know of the demo: that it was made, and the keys, which the API shows once. */
export interface DemoRecord {
  /** `Session.administratorSince` of the database that the record belongs to. */
  readonly database: string;
  readonly projectId: number | null;
  /** A demo that was complete once is never made again, whatever was deleted since. */
  readonly complete: boolean;
  readonly keys: readonly DemoKey[];
}

export const demoFile = (persistTo: string): string => path.join(persistTo, "demo.json");

/** Undefined when there is no record, or none that can be read. */
export function readDemo(file: string): DemoRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as DemoRecord;
  } catch {
    return undefined;
  }
}

/** For the owner's eyes only, and never half written. */
export function saveDemo(file: string, record: DemoRecord): DemoRecord {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return record;
}
