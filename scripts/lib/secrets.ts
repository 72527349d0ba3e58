import { Buffer } from "node:buffer";
import { randomBytes, randomInt } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";

const SECRET_BYTES = 32;

/** Four words of 64 and a number of 9,000 are 37 bits: read over a shoulder, not guessed over a network. */
const WORDS =
  "amber apple badge basil beach birch bloom brave breeze brick cedar chalk cherry clover cloud coral " +
  "crane daisy delta dune ember fable falcon fern field flint frost ginger grove harbor hazel honey " +
  "indigo ivory jasmine juniper kettle lagoon lemon lilac linen maple meadow mint moss nutmeg oak olive " +
  "opal orchard pearl pepper pine plum quartz raven river saffron sage silver summit thyme violet willow";

function readablePassword(): string {
  const words = WORDS.split(" ");
  const chosen = Array.from({ length: 4 }, () => words[randomInt(words.length)]);
  return [...chosen, randomInt(1000, 10_000)].join("-");
}

const generated = () =>
  [
    "# Secrets of this machine, made by `npm start` and never overwritten. Not in git.",
    `SERVICE_JWT_SECRET=${Buffer.from(randomBytes(SECRET_BYTES)).toString("hex")}`,
    "BOOTSTRAP_ADMIN_EMAIL=admin@example.com",
    `BOOTSTRAP_ADMIN_PASSWORD=${readablePassword()}`,
    "",
  ].join("\n");

/** The variables of a `.dev.vars` file, which is made first when there is none. */
export function readOrMakeSecrets(file: string): Record<string, string> {
  if (!existsSync(file)) writeFileSync(file, generated(), { mode: 0o600, flag: "wx" });
  return Object.fromEntries(
    Object.entries(parseEnv(readFileSync(file, "utf8"))).map(([name, value]) => [
      name,
      value ?? "",
    ]),
  );
}
