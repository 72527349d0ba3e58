import process from "node:process";
import { deploy } from "./lib/deploy.ts";
import { stopAll } from "./lib/processes.ts";

// `npm run deploy -- --env staging` (scripts/lib/deploy.ts).
try {
  await deploy(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await stopAll();
  process.exitCode = 1;
}
