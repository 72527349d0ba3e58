/** One JSON record a line, with the contract's fields (interface.md, Tracing). */
export type Level = "DEBUG" | "INFO" | "WARN" | "ERROR";

const WRITE: Record<Level, (line: string) => void> = {
  DEBUG: (line) => console.debug(line),
  INFO: (line) => console.info(line),
  WARN: (line) => console.warn(line),
  ERROR: (line) => console.error(line),
};

/** `fields` must not carry a token, key, password or request body. */
export function log(
  level: Level,
  logger: string,
  message: string,
  fields: Readonly<Record<string, unknown>> & { traceId?: string } = {},
): void {
  const record = {
    "@timestamp": new Date().toISOString(),
    level,
    logger,
    message,
    service: "feature-flags",
    ...fields,
  };
  WRITE[level](JSON.stringify(record));
}
