import { describeError } from "../core/logging/describe-error.ts";
import { mask, spellings } from "../core/logging/mask.ts";

/**
 * Each log record is one line of JSON: `@timestamp`, `level`, `logger`, `message`, `service`, the
 * fields of `LogFields` and, for some errors, `stack`. Only `logError` logs text that may contain
 * secrets, and masks them.
 */

const LEVELS = ["DEBUG", "INFO", "WARN", "ERROR"] as const;
export type Level = (typeof LEVELS)[number];

/** The lowest level that a logger writes. With `OFF` the logger writes nothing. */
export type Threshold = Level | "OFF";

const RANK: Readonly<Record<Threshold, number>> = { DEBUG: 0, INFO: 1, WARN: 2, ERROR: 3, OFF: 4 };

/**
 * Parses a log level or `OFF`, in upper or lower case. `TRACE` is read as `DEBUG`. Returns
 * undefined for any other text.
 */
export function readThreshold(text: string): Threshold | undefined {
  const name = text.trim().toUpperCase();
  if (name === "TRACE") return "DEBUG";
  return [...LEVELS, "OFF" as const].find((level) => level === name);
}

export interface LogSettings {
  /** The lowest level that loggers named `app.…` write. */
  readonly app: Threshold;
  /** The lowest level that all other loggers write. */
  readonly root: Threshold;
  /**
   * The values of secret variables. They are masked in every logged error, also in an escaped form
   * (see `spellings`).
   */
  readonly secrets: readonly string[];
}

let settings: LogSettings = { app: "INFO", root: "INFO", secrets: [] };

/** Configures the logs of the whole isolate. Called by platform/observability.ts. */
export function configureLogs(next: LogSettings): void {
  settings = { ...next, secrets: spellings(next.secrets) };
}

/**
 * Returns whether a record of this level and logger would be written. Check this first if composing
 * the record costs time.
 */
export function isLogged(level: Level, logger: string): boolean {
  return RANK[level] >= RANK[logger.startsWith("app.") ? settings.app : settings.root];
}

/** The fields that a log record may have besides the message. No field contains free text of a caller. */
export interface LogFields {
  /** The trace id: 32 lower-case hex digits, or 16 when the caller's trace id has 16. */
  readonly traceId: string;
  /** The span id: 16 lower-case hex digits. */
  readonly spanId?: string | undefined;
  readonly parentSpanId?: string | undefined;
  readonly durationMs?: number;
  /** The HTTP method if it is in `KNOWN_METHODS`, otherwise `OTHER`. */
  readonly method?: string;
  /** The pattern of a route, such as `/api/v1/flags/{id}`, never the path itself. */
  readonly route?: string;
  readonly status?: number;
  /** How many table rows a job has changed. */
  readonly rows?: number;
}

/** Writes a log record. `message` must be the service's own text, because nothing in it is masked. */
export function log(level: Level, logger: string, message: string, fields: LogFields): void {
  if (isLogged(level, logger)) write(level, logger, { message }, fields);
}

/** A caught error to log, with the operation that failed and the secrets to mask. */
export interface LoggedError {
  readonly traceId: string;
  readonly error: unknown;
  /** The operation that failed. The record has this text before the message of the error. */
  readonly what?: string;
  /** Secret values that the error may contain and that do not look like secrets. They are masked. */
  readonly secrets?: readonly string[];
  /** Whether the record has the stack. Default: false. */
  readonly withStack?: boolean;
}

/** Logs a caught error with its causes. Masks the given secrets, and texts that look like secrets. */
export function logError(
  level: Level,
  logger: string,
  { traceId, error, what, secrets = [], withStack = false }: LoggedError,
): void {
  if (!isLogged(level, logger)) return;
  const { message, stack, boundValues } = describeError(error);
  const spelled = [...settings.secrets, ...spellings([...boundValues, ...secrets])];
  const text = {
    message: mask(what === undefined ? message : `${what}: ${message}`, spelled),
    stack: withStack && stack !== undefined ? mask(stack, spelled) : undefined,
  };
  write(level, logger, text, { traceId });
}

const WRITE: Readonly<Record<Level, (line: string) => void>> = {
  DEBUG: (line) => console.debug(line),
  INFO: (line) => console.info(line),
  WARN: (line) => console.warn(line),
  ERROR: (line) => console.error(line),
};

/**
 * Writes a record to the console. Lists every field by name, so that a record cannot contain other fields.
 */
function write(
  level: Level,
  logger: string,
  { message, stack }: { readonly message: string; readonly stack?: string | undefined },
  fields: LogFields,
): void {
  const { traceId, spanId, parentSpanId, durationMs, method, route, status, rows } = fields;
  const record = {
    "@timestamp": new Date().toISOString(),
    level,
    logger,
    message,
    traceId,
    service: "feature-flags",
    spanId,
    parentSpanId,
    durationMs,
    method,
    route,
    status,
    rows,
    stack,
  };
  // JSON.stringify leaves out undefined fields.
  WRITE[level](JSON.stringify(record));
}
