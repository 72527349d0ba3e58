import { describeError } from "../core/logging/describe-error.ts";
import { mask, spellings } from "../core/logging/mask.ts";

/**
 * Logs are JSON records, one a line: `@timestamp`, `level`, `logger`, `message`, `traceId`, `service`
 * and the fields of `LogFields`. Free text enters a record through `logError` alone, masked.
 */

const LEVELS = ["DEBUG", "INFO", "WARN", "ERROR"] as const;
export type Level = (typeof LEVELS)[number];

/** The lowest level that is written; `OFF` writes nothing. */
export type Threshold = Level | "OFF";

const RANK: Readonly<Record<Threshold, number>> = { DEBUG: 0, INFO: 1, WARN: 2, ERROR: 3, OFF: 4 };

/** Parses a level, in any case; `TRACE` is read as `DEBUG`. Undefined when there is no such level. */
export function readThreshold(text: string): Threshold | undefined {
  const name = text.trim().toUpperCase();
  if (name === "TRACE") return "DEBUG";
  return [...LEVELS, "OFF" as const].find((level) => level === name);
}

export interface LogSettings {
  /** The threshold of loggers named `app.…`. */
  readonly app: Threshold;
  /** The threshold of all other loggers. */
  readonly root: Threshold;
  /** The values of secret variables. They are masked in every error, in any spelling. */
  readonly secrets: readonly string[];
}

let settings: LogSettings = { app: "INFO", root: "INFO", secrets: [] };

/** Configures the logs of the whole isolate (see platform/observability.ts). */
export function configureLogs(next: LogSettings): void {
  settings = { ...next, secrets: spellings(next.secrets) };
}

/** Whether a record would be written. Check this first where composing the record costs time. */
export function isLogged(level: Level, logger: string): boolean {
  return RANK[level] >= RANK[logger.startsWith("app.") ? settings.app : settings.root];
}

/**
 * The fields of a log record, as an allow-list: a record has no others. None of them contains text
 * of a caller.
 */
export interface LogFields {
  /** The trace id: 32 lower-case hex digits, or 16 when the caller's trace id has 16. */
  readonly traceId: string;
  /** The span id: 16 lower-case hex digits. */
  readonly spanId?: string | undefined;
  readonly parentSpanId?: string | undefined;
  readonly durationMs?: number;
  /** An HTTP method of RFC 9110, or `OTHER`. */
  readonly method?: string;
  /** The pattern of a route, such as `/api/v1/flags/{id}`, never the path itself. */
  readonly route?: string;
  readonly status?: number;
  /** How many table rows a job has changed. */
  readonly rows?: number;
}

/**
 * Writes a log record. `message` is a sentence of the service's own, so nothing in it is masked.
 */
export function log(level: Level, logger: string, message: string, fields: LogFields): void {
  if (isLogged(level, logger)) write(level, logger, { message }, fields);
}

export interface LoggedError {
  readonly traceId: string;
  readonly error: unknown;
  /** Names the work that failed. It precedes the message of the error. */
  readonly what?: string;
  /** Values that the error may repeat, and that cannot be recognised as secrets by their form. */
  readonly secrets?: readonly string[];
  /** Whether the record has the stack. Default: false. */
  readonly withStack?: boolean;
}

/** Logs a caught error with its causes. Secrets are masked by value and by form. */
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

/** Every field is named here, so that a record cannot contain any other. */
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
