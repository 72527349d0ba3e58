import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

/** The loopback addresses. `localhost` resolves to either address, and wrangler listens on both. */
const LOOPBACKS = ["127.0.0.1", "::1"];

/** How long to wait for a service on the port that is still stopping, milliseconds. */
const RETRY_FOR_MS = 3000;
const PAUSE_MS = 200;

/**
 * Checks that this process can listen on the port. Throws: an Error when another process listens
 * there for longer than `retryForMs`, or the user may not listen there.
 */
export async function assertFree(port: number, retryForMs = RETRY_FOR_MS): Promise<void> {
  const errors = await Promise.all(LOOPBACKS.map((host) => tryPort(host, port)));
  if (errors.includes("EADDRINUSE") && retryForMs > 0) {
    await setTimeout(PAUSE_MS);
    return assertFree(port, retryForMs - PAUSE_MS);
  }
  if (errors.includes("EADDRINUSE"))
    throw new Error(
      `Port ${port} is in use. Stop the process on this port, or choose another port: npm start -- --port ${port + 1}`,
    );
  if (errors.includes("EACCES"))
    throw new Error(
      `This user may not listen on port ${port}. Choose a port above 1023: npm start -- --port 8787`,
    );
}

/**
 * Tries to listen on the port. Returns the error code; undefined when listening works. Errors other
 * than EADDRINUSE and EACCES, such as a machine without IPv6, are left to wrangler to report.
 */
function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code);
    });
    server.listen({ host, port, exclusive: true }, () => {
      server.close(() => {
        resolve(undefined);
      });
    });
  });
}
