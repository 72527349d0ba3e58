import type { ClientRule } from "@feature-flags/evaluation/rule";

/** The format number of the snapshots that this version of the client makes and reads. */
export const SNAPSHOT_FORMAT = 1;

/**
 * The rules of an environment at one revision, as plain JSON. `client.snapshot()` makes it, and the
 * option `bootstrap` takes it.
 */
export interface Snapshot {
  readonly format: typeof SNAPSHOT_FORMAT;
  readonly revision: number;
  /** The ETag of the rules. */
  readonly etag: string;
  readonly rules: readonly ClientRule[];
}

/**
 * Whether a value has the fields of a rule that the client needs. The evaluator checks the other
 * fields.
 */
export const isRule = (value: unknown): value is ClientRule =>
  typeof value === "object" && value !== null && "key" in value && typeof value.key === "string";

/** Whether a value is a revision: a whole number from 0. */
export const isRevision = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/** Whether a value is a snapshot that this version of the client can read. */
export function isSnapshot(value: unknown): value is Snapshot {
  if (typeof value !== "object" || value === null) return false;
  const { format, revision, etag, rules } = value as Readonly<Record<string, unknown>>;
  return (
    format === SNAPSHOT_FORMAT &&
    isRevision(revision) &&
    typeof etag === "string" &&
    Array.isArray(rules)
  );
}
