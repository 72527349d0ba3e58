/** The cron expressions in wrangler.toml, each with its interval in milliseconds. */
const CRONS = [
  ["* * * * *", 60_000],
  ["17 * * * *", 3_600_000],
] as const;

/**
 * Triggers the cron jobs, because the local runtime does not: once at the start, because local
 * queues lose their messages at a stop, and then at the intervals.
 */
export function runCrons(address: string): void {
  for (const [cron, interval] of CRONS) {
    const trigger = () => {
      const path = `/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}`;
      // The request fails while the service is stopping. The service itself logs the faults of its
      // jobs.
      fetch(`${address}${path}`).catch(() => {});
    };
    trigger();
    setInterval(trigger, interval).unref();
  }
}
