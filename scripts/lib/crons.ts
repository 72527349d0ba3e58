/** The cron expressions in wrangler.toml, each with its interval in milliseconds. */
const CRONS = [
  ["* * * * *", 60_000],
  ["17 * * * *", 3_600_000],
] as const;

/**
 * Triggers the cron jobs at their intervals, because the local runtime does not. Also triggers each
 * job at the start, because local queues lose their messages when the service stops.
 */
export function runCrons(address: string): void {
  for (const [cron, interval] of CRONS) {
    const trigger = () => {
      const path = `/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}`;
      // Ignores errors. The request fails while the service is stopping, and the service logs the
      // errors of its jobs.
      fetch(`${address}${path}`).catch(() => {});
    };
    trigger();
    setInterval(trigger, interval).unref();
  }
}
