import { runOnTerminal } from "./lib/processes.ts";
import { writeSourceConfig } from "./lib/source-config.ts";
import { wrangler } from "./lib/wrangler.ts";

// `npm run types [-- --check]`: the types of the bindings and variables in wrangler.toml.
const config = writeSourceConfig();
const args = ["--config", config, "--include-runtime=false", "--strict-vars=false"];
await runOnTerminal(wrangler(["types", ...args, ...process.argv.slice(2)]));
