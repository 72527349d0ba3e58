/** The crons of wrangler.toml, and how often each comes, in milliseconds. */
const CRONS = [
  ["* * * * *", 60_000],
  ["17 * * * *", 3_600_000],
] as const;

/**
 * Triggers the cron jobs, which the local runtime leaves to somebody else: now, because a queue
 * there forgets its messages when it stops, and then at their intervals.
 */
export function runCrons(address: string): void {
  for (const [cron, interval] of CRONS) {
    const trigger = () => {
      const path = `/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}`;
      // The service is stopping, or it says in its own log what went wrong.
      fetch(`${address}${path}`).catch(() => {});
    };
    trigger();
    setInterval(trigger, interval).unref();
  }
}
