import path from "node:path";
import { ROOT } from "./lib/processes.ts";
import { buildWorkerModules, writeModules } from "./lib/worker-build.ts";

// Wrangler runs this before it starts or deploys the Worker (`[build]` in wrangler.toml).
const { modules } = await buildWorkerModules(ROOT);
await writeModules(path.join(ROOT, "dist", "worker"), modules);
