import { CODE, HOUR_SECONDS, MONTH_SECONDS } from "./code.ts";
import { rateAfterPause, type EdgeLoad } from "./edge.ts";
import { OPERATION_BYTES, OPERATIONS_A_MESSAGE } from "../../src/core/platform-usage/prices.ts";
import { BYTES, MESSAGE_BYTES, ROWS } from "./rows.ts";
import type { Scenario } from "./scenario.ts";

/** The load of usage, last-seen marks and webhooks on queues and database. Rates are per second. */
export interface UsageLoad {
  readonly usageMessages: number;
  readonly webhookMessages: number;
  /** Last-seen marks of SDK instances that isolates send, and that the database writes. */
  readonly marksSent: number;
  readonly marksWritten: number;
  readonly operations: number;
  readonly batches: number;
  /**
   * Transactions that add usage messages to the database. A transaction takes one queue batch, or
   * the part of a batch that fits.
   */
  readonly transactions: number;
  readonly deliveries: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  /**
   * The most rows of one table that expire between two runs of the sweep job. The job for the ids
   * of usage reports runs every minute, all others run every hour.
   */
  readonly expiringRows: number;
  readonly databaseBytes: number;
}

/** The streams that mark their SDK instances as seen. */
export interface MarkingStreams {
  /** The share of the instances that have such a stream, from 0 to 1. */
  readonly share: number;
  /** The marks of one stream per second, besides one for each change. */
  readonly marks: number;
}

export const NO_STREAMS: MarkingStreams = { share: 0, marks: 0 };

export function usageLoad(scenario: Scenario, edge: EdgeLoad, streams: MarkingStreams): UsageLoad {
  const { instances, environments } = scenario;
  const flags = scenario["reported-flags"];
  const { reports } = edge;
  const variants = flags * scenario["reported-variants"];
  const listBytes = flags * MESSAGE_BYTES.reportAFlag + variants * MESSAGE_BYTES.reportAVariant;
  const reportBytes = MESSAGE_BYTES.report + listBytes;
  const reportMessages = reports * Math.ceil(listBytes / CODE.messageBytes);
  const marks = lastSeenMarks(scenario, edge, streams);
  const usageMessages = reportMessages + marks.messages;
  const batches = batchesOf(usageMessages, CODE.usageQueue);
  const bytes = reports * reportBytes + marks.sent * MESSAGE_BYTES.lastSeenMark;
  const transactions = Math.max(batches, bytes / CODE.transactionBytes);

  const deliveries = Math.min(
    edge.changes * scenario.integrations,
    CODE.webhooksAMonth / MONTH_SECONDS,
  );
  const chunks = (each: number) => Math.ceil(each / OPERATION_BYTES);
  const operations =
    reportMessages * chunks(Math.min(reportBytes, CODE.messageBytes)) +
    marks.messages * chunks(marks.messageBytes) +
    deliveries;

  // A reporting SDK instance adds one row per hour. Each flag adds one row per hour and
  // environment.
  const instanceHours = Math.min(reports, instances / HOUR_SECONDS);
  const flagHours = reports > 0 ? (environments * flags) / HOUR_SECONDS : 0;
  const met = transactions > 0 ? distinct(environments, reports / transactions) : 0;
  const counted = transactions * met * flags;
  const countedVariants = transactions * met * variants;
  const variantHours = reports > 0 ? (environments * variants) / HOUR_SECONDS : 0;
  const { report, instanceHour, flagHour, variantHour, lastSeenMark } = ROWS;
  return {
    usageMessages,
    webhookMessages: deliveries,
    marksSent: marks.sent,
    marksWritten: marks.written,
    operations: operations * OPERATIONS_A_MESSAGE,
    batches: batches + batchesOf(deliveries, CODE.webhookQueue),
    transactions,
    deliveries,
    rowsRead:
      reports *
        (report.read + flags * instanceHour.readAFlag + variants * instanceHour.readAVariant) +
      counted * flagHour.read +
      countedVariants * variantHour.read +
      marks.sent * lastSeenMark.read,
    rowsWritten:
      reports * (report.written + report.deleted) +
      (reports - instanceHours) * instanceHour.written +
      instanceHours * (instanceHour.begun + instanceHour.deleted) +
      counted * flagHour.written +
      flagHours * (flagHour.begun + flagHour.deleted) +
      countedVariants * variantHour.written +
      variantHours * (variantHour.begun + variantHour.deleted) +
      marks.written * lastSeenMark.written,
    // The ids of usage reports are swept every minute, the other rows every hour.
    expiringRows: Math.max(60 * reports, HOUR_SECONDS * Math.max(instanceHours, flagHours)),
    databaseBytes:
      reports * CODE.keptSecondsOfReports * BYTES.report +
      instanceHours *
        HOUR_SECONDS *
        CODE.keptHoursOfInstances *
        (BYTES.instanceHour +
          flags * BYTES.instanceHourAFlag +
          variants * BYTES.instanceHourAVariant) +
      flagHours * HOUR_SECONDS * CODE.keptHoursOfFlags * BYTES.flagHour +
      variantHours * HOUR_SECONDS * CODE.keptHoursOfFlags * BYTES.variantHour +
      instances * BYTES.instance,
  };
}

/** Returns the expected number of distinct items after drawing `draws` times from `all` items. */
export const distinct = (all: number, draws: number) => all * (1 - (1 - 1 / all) ** draws);

/**
 * Returns the queue batches per second. The queue delivers a batch when it is full or at its
 * timeout.
 */
function batchesOf(messages: number, queue: { batchSize: number; batchSeconds: number }): number {
  const size = Math.min(queue.batchSize, Math.max(1, messages * queue.batchSeconds));
  return messages / size;
}

/**
 * Returns the last-seen marks that isolates send, and those that the database writes, per second.
 * Only the isolate that holds the stream of an instance sends the marks of the stream.
 */
function lastSeenMarks(
  scenario: Scenario,
  { polls, reports, changes, ...edge }: EdgeLoad,
  { share, marks }: MarkingStreams,
) {
  const { instances, environments } = scenario;
  const rate = (polls + reports) / instances;
  const news = changes / environments;
  // Every isolate of a location sees every instance of the location, and sends its own mark.
  const met = rate / edge.isolatesPerLocation;
  const isForgotten = instances / (edge.isolates / edge.isolatesPerLocation) > CODE.marks;
  const paused = (each: number) => rateAfterPause(each, scenario["mark-seconds"]);
  const due = (each: number) => Math.min(each, paused(each) + news);
  const sentBy = (each: number) => (isForgotten ? each : due(each));
  // A stream marks its instance for each change, however rarely the instance polls.
  const dueOf = (each: number) => share * (paused(each + marks) + news) + (1 - share) * due(each);
  const sent =
    instances *
    ((edge.isolatesPerLocation - 1) * sentBy(met) +
      (isForgotten ? met + share * (marks + news) : dueOf(met)));
  const perIsolate = sent / edge.isolates;
  const flushes = rateAfterPause(perIsolate, CODE.flushSeconds);
  const bytes = (perIsolate / flushes) * MESSAGE_BYTES.lastSeenMark;
  const messages = edge.isolates * flushes * Math.ceil(bytes / CODE.messageBytes);
  return {
    sent,
    written: Math.min(sent, instances * dueOf(rate)),
    messages,
    messageBytes: Math.min(bytes, CODE.messageBytes),
  };
}
