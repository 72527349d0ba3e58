import { mask, maskValue, spellings } from "../core/logging/mask.ts";

/** One JSON record a line, with the contract's fields (interface.md, Tracing), and no secrets. */

const LEVELS = ["DEBUG", "INFO", "WARN", "ERROR"] as const;
export type Level = (typeof LEVELS)[number];

/** The least level that is written. */
export type Threshold = Level | "OFF";

const RANK: Readonly<Record<Threshold, number>> = { DEBUG: 0, INFO: 1, WARN: 2, ERROR: 3, OFF: 4 };

/** A level in any case; `TRACE` is read as `DEBUG`. Undefined: it is none. */
export function readThreshold(text: string): Threshold | undefined {
  const name = text.trim().toUpperCase();
  if (name === "TRACE") return "DEBUG";
  return [...LEVELS, "OFF" as const].find((level) => level === name);
}

export interface LogSettings {
  /** For loggers named `app.…`. */
  readonly app: Threshold;
  /** For all others. */
  readonly root: Threshold;
  /** Values that are masked wherever they stand, in whatever spelling. */
  readonly secrets: readonly string[];
}

let settings: LogSettings = { app: "INFO", root: "INFO", secrets: [] };

/** Applies to the whole isolate (see `observe` in platform). */
export function configureLogs(next: LogSettings): void {
  settings = { ...next, secrets: spellings(next.secrets) };
}

/** To be asked before a record is put together where that would cost. */
export function isLogged(level: Level, logger: string): boolean {
  return RANK[level] >= RANK[logger.startsWith("app.") ? settings.app : settings.root];
}

const WRITE: Readonly<Record<Level, (line: string) => void>> = {
  DEBUG: (line) => console.debug(line),
  INFO: (line) => console.info(line),
  WARN: (line) => console.warn(line),
  ERROR: (line) => console.error(line),
};

/**
 * Secrets are masked by their names and forms, and so are `values`, which have neither: what the
 * failed work was given.
 */
export function log(
  level: Level,
  logger: string,
  message: string,
  { traceId, ...fields }: Readonly<Record<string, unknown>> & { readonly traceId: string },
  values: readonly string[] = [],
): void {
  if (!isLogged(level, logger)) return;
  const secrets =
    values.length === 0 ? settings.secrets : [...settings.secrets, ...spellings(values)];
  const record = {
    "@timestamp": new Date().toISOString(),
    level,
    logger,
    message: mask(message, secrets),
    traceId,
    service: "feature-flags",
    ...(maskValue(fields, secrets) as object),
  };
  WRITE[level](JSON.stringify(record));
}
