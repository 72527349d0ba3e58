import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

/** `localhost` is either of them, and wrangler listens on both. */
const LOOPBACKS = ["127.0.0.1", "::1"];

/** A service that was stopped a moment ago may still be closing. */
const PATIENCE_MS = 3000;
const PAUSE_MS = 200;

/** Errors: somebody listens on the port of this machine, and keeps listening. */
export async function assertFree(port: number, patience = PATIENCE_MS): Promise<void> {
  const faults = await Promise.all(LOOPBACKS.map((host) => tryPort(host, port)));
  if (faults.includes("EADDRINUSE") && patience > 0) {
    await setTimeout(PAUSE_MS);
    return assertFree(port, patience - PAUSE_MS);
  }
  if (faults.includes("EADDRINUSE"))
    throw new Error(
      `Port ${port} is in use. Stop what runs there, or choose another one: npm start -- --port ${port + 1}`,
    );
  if (faults.includes("EACCES")) throw new Error(`Port ${port} is not allowed for this user.`);
}

/** The code of the error; other errors, such as a machine without IPv6, are wrangler's to judge. */
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
