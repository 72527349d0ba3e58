import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { workerData } from "node:worker_threads";

// Evaluates the bundle of a Worker once in a new isolate of V8, as the start of the Worker does. Writes the
// CPU time of that to `result`, milliseconds.

const { file, result } = workerData as { readonly file: string; readonly result: Float64Array };

/** What the bundle imports from the runtime. The start of a Worker only extends the classes. */
const RUNTIME = `
export class DurableObject {}
export class WorkerEntrypoint {}
export const env = {}, exports = {};
`;

const isOfRuntime = (specifier: string) => specifier.startsWith("cloudflare:");

registerHooks({
  resolve: (specifier, context, next) =>
    isOfRuntime(specifier)
      ? { url: specifier, format: "module", shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    isOfRuntime(url)
      ? { format: "module", source: RUNTIME, shortCircuit: true }
      : next(url, context),
});

const before = process.threadCpuUsage();
await import(pathToFileURL(file).href);
const { user, system } = process.threadCpuUsage(before);
result[0] = (user + system) / 1000;
