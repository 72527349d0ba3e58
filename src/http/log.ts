import { describeError } from "../core/logging/describe-error.ts";
import { mask, spellings } from "../core/logging/mask.ts";

/**
 * Logs are JSON records, one a line: `@timestamp`, `level`, `logger`, `message`, `traceId`, `service`
 * and the fields of `LogFields`. Free text enters a record through `logError` alone, masked.
 */

const LEVELS = ["DEBUG", "INFO", "WARN", "ERROR"] as const;
export type Level = (typeof LEVELS)[number];

/** The lowest level that is written. */
export type Threshold = Level | "OFF";

const RANK: Readonly<Record<Threshold, number>> = { DEBUG: 0, INFO: 1, WARN: 2, ERROR: 3, OFF: 4 };

/** Parses a level, in any case; `TRACE` is read as `DEBUG`. Undefined when there is no such level. */
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
  /** Values of secret variables: masked in every error, in any spelling. */
  readonly secrets: readonly string[];
}

let settings: LogSettings = { app: "INFO", root: "INFO", secrets: [] };

/** Applies to the whole isolate (see platform/observe.ts). */
export function configureLogs(next: LogSettings): void {
  settings = { ...next, secrets: spellings(next.secrets) };
}

/** Check this first where putting a record together costs time. */
export function isLogged(level: Level, logger: string): boolean {
  return RANK[level] >= RANK[logger.startsWith("app.") ? settings.app : settings.root];
}

/** The allow-list: a record has these fields and no others. None of them holds text of a caller. */
export interface LogFields {
  /** 32 lower-case hex digits (16 when the caller's trace has so many). */
  readonly traceId: string;
  /** 16 lower-case hex digits. */
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

/** Writes a record. `message` is a sentence of the service's own: nothing in it is masked. */
export function log(level: Level, logger: string, message: string, fields: LogFields): void {
  if (isLogged(level, logger)) write(level, logger, { message }, fields);
}

export interface LoggedError {
  readonly traceId: string;
  readonly error: unknown;
  /** What failed, before the message of the error. */
  readonly what?: string;
  /** Values that the error may repeat, and that have no recognisable form. */
  readonly secrets?: readonly string[];
  /** Whether the record has the stack. Default: false. */
  readonly withStack?: boolean;
}

/** Writes what a caught error says, with its causes. Secrets are masked by value and by form. */
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

/** Every field is named here, so a record cannot carry another one. */
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
