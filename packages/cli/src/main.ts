#!/usr/bin/env node
import process from "node:process";
import { run } from "./run.ts";

// A reader such as `head` may close the pipe before the program has written everything.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

process.exitCode = await run(process.argv.slice(2));
