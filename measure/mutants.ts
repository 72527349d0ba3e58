/**
 * Makes 40 small mutations of the code, drawn at random with a fixed seed, one at a time, and runs
 * the tests that depend on the changed file. Prints each mutation with the test that catches it, and
 * at the end how many the tests caught. A survivor shows a missing test, unless the mutation
 * changes nothing.
 *
 * Throws before the first mutation if the tests fail without one.
 *
 * Usage: npm run mutants -- [seed]. It takes up to an hour, and restores each file at once.
 */
import { createHash } from "node:crypto";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { seedFor } from "../scripts/lib/command.ts";
import { KINDS, type Mutation, mutations } from "./mutations.ts";
import { ROOT } from "../scripts/lib/processes.ts";

/** How many mutations to draw from which files. */
const DRAWS = [
  { count: 25, files: /^(packages\/\w+\/src|src\/core)\// },
  { count: 15, files: /^src\/(?!core\/)[\w-]+\// },
];

/**
 * The tests that reach a file over HTTP, by the path of the file. Such tests do not import the
 * file, so `vitest related` does not find them. The first entry that matches counts.
 */
const FRONT_DOOR: readonly (readonly [RegExp, readonly string[]])[] = [
  [/vault|reseal/, ["health"]],
  [/sessions|auth|mfa|users|settings/, ["auth", "people", "limits"]],
  [
    /usage|insights|instance/,
    ["usage", "management/insights", "management/propagation", "management/unwritten"],
  ],
  [/webhooks|integrations|outbox|mail/, ["webhooks", "management/integrations", "people"]],
  [/stream|publish/, ["stream"]],
  [/metrics|health|api-docs|logging|log|trace/, ["health", "contract"]],
  [/audit|deletion/, ["management/audit", "management/records", "management/deletion"]],
  [/client|rules|edge|evaluation|sdk|permissions/, ["client", "faults", "contract"]],
  [/\brate|limit/, ["limits"]],
  [/flags|strategies|tags|segments/, ["management"]],
  [/.*/, ["management", "contract", "limits", "auth"]],
];

/**
 * How long a run of the tests may take before it is ended and counts as failed, milliseconds. Some
 * mutations make an endless loop.
 */
const TIMEOUT_MS = 15 * 60_000;

interface Drawn {
  readonly mutation: Mutation;
  readonly file: string;
  readonly source: string;
}

const seed = seedFor("mutants");

/**
 * Returns the place of a mutation in the order of the draw. It depends only on the seed, the file
 * and the mutated text, so that the draw stays nearly the same when other code changes.
 */
const placeOf = ({ file, source, mutation: { kind, start, end, text } }: Drawn): string =>
  createHash("sha256")
    .update(JSON.stringify([seed, file, kind, source.slice(start, end), text]))
    .digest("hex");

const allFiles = execFileSync("git", ["ls-files", "src", "packages"], {
  cwd: ROOT,
  encoding: "utf8",
});

/** Draws `count` mutations from the files, about the same number of each kind. */
function draw(count: number, pattern: RegExp): Drawn[] {
  const pool = allFiles
    .split("\n")
    .filter((file) => pattern.test(file) && file.endsWith(".ts"))
    .flatMap((file) => {
      const source = readFileSync(path.join(ROOT, file), "utf8");
      return mutations(file, source).map((mutation) => ({ mutation, file, source }));
    })
    .map((drawn) => ({ drawn, place: placeOf(drawn) }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1));
  return KINDS.flatMap((kind, index) => {
    const share = Math.floor(count / KINDS.length) + (index < count % KINDS.length ? 1 : 0);
    return pool.filter(({ drawn }) => drawn.mutation.kind === kind).slice(0, share);
  }).map(({ drawn }) => drawn);
}

/**
 * Runs tests until the first failure. Returns the name of the failed test, or how the run ended
 * without one; undefined if all tests pass. A run that exceeds the timeout counts as failed.
 */
function failure(args: readonly string[]): string | undefined {
  const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
  const options = ["--run", "--bail=1", "--passWithNoTests", "--reporter=dot", "--no-color"];
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, ...args, ...options],
    {
      cwd: ROOT,
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      maxBuffer: 1e9,
    },
  );
  if (status === 0) return undefined;
  return /FAIL +(.*)/.exec(stdout + stderr)?.[1] ?? `the run ended with ${signal ?? status}`;
}

/** Returns the test that catches the mutation; undefined if it survives. */
function catching({ file }: Drawn): string | undefined {
  const [, folders] = FRONT_DOOR.find(([pattern]) => pattern.test(file)) ?? [];
  const worker = (folders ?? []).map((folder) => `test/worker/${folder}`);
  return (
    failure(["related", file, "--project=core"]) ?? failure(["run", "--project=worker", ...worker])
  );
}

// Tests that fail anyway would catch every mutation.
const failed = failure(["run", "--project=core", "--project=worker"]);
if (failed !== undefined) throw new Error(`The tests fail without a mutation: ${failed}`);

const mutants = DRAWS.flatMap(({ count, files }) => draw(count, files));
let caught = 0;
for (const [index, mutant] of mutants.entries()) {
  const { mutation, file, source } = mutant;
  const { kind, start, end, text } = mutation;
  const line = source.slice(0, start).split("\n").length;
  const before = source.slice(start, end).replaceAll(/\s+/g, " ");
  process.stdout.write(
    `${index + 1}. ${file}:${line} ${kind}: ${before} → ${text.replaceAll(/\s+/g, " ")} … `,
  );
  writeFileSync(path.join(ROOT, file), source.slice(0, start) + text + source.slice(end));
  try {
    const test = catching(mutant);
    if (test !== undefined) caught += 1;
    console.log(test === undefined ? "SURVIVED" : `caught by ${test}`);
  } finally {
    writeFileSync(path.join(ROOT, file), source);
  }
}
console.log(`\n${caught} of ${mutants.length} mutations caught, seed ${seed}`);
