/** The cron expressions in wrangler.toml and their intervals in milliseconds. */
const CRONS = [
  ["* * * * *", 60_000],
  ["17 * * * *", 3_600_000],
] as const;

/**
 * Triggers the cron jobs, because the local runtime does not: once now, because local queues lose
 * their messages at a stop, and then at their intervals.
 */
export function runCrons(address: string): void {
  for (const [cron, interval] of CRONS) {
    const trigger = () => {
      const path = `/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}`;
      // The service is stopping, or has logged the error itself.
      fetch(`${address}${path}`).catch(() => {});
    };
    trigger();
    setInterval(trigger, interval).unref();
  }
}
