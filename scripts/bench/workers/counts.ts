/** What Cloudflare has billed since the Worker started. */
export const counts = {
  /** The D1 statements of requests. */
  requestStatements: 0,
  /** The D1 statements of queue consumers, cron jobs and Durable Objects. */
  jobStatements: 0,
  rowsRead: 0,
  rowsWritten: 0,
  queueMessages: 0,
  queueOperations: 0,
  queueBatches: 0,
  /** The calls of Durable Objects, and their alarms. */
  objectRequests: 0,
  objectRowsWritten: 0,
};

/** What runs a D1 statement. */
export type Origin = "requestStatements" | "jobStatements";

export type Bindings = Readonly<Record<string, object | string>>;
export type Method = (...values: never[]) => unknown;
