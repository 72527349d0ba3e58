import { Buffer } from "node:buffer";
import { randomBytes, randomInt } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";

const SECRET_BYTES = 32;

/**
 * The words of a readable password. A password has four of these 64 words and one of 9,000 numbers.
 * Its 37 bits of entropy are enough against guessing online.
 */
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

const random = (encoding: "hex" | "base64") =>
  Buffer.from(randomBytes(SECRET_BYTES)).toString(encoding);

/** For each variable that `npm start` adds to `.dev.vars`, a function that generates the value. */
const MAKE: Readonly<Record<string, () => string>> = {
  SERVICE_JWT_SECRET: () => random("hex"),
  SERVICE_ENCRYPTION_KEY: () => random("base64"),
  BOOTSTRAP_ADMIN_EMAIL: () => "admin@example.com",
  BOOTSTRAP_ADMIN_PASSWORD: readablePassword,
};

const HEADER =
  "# Secrets of this machine, made by `npm start` and never overwritten. Not in git.\n";

/** Reads the variables in `.dev.vars`, after adding the missing secrets to the file. */
export function readOrMakeSecrets(file: string): Record<string, string> {
  if (!existsSync(file)) writeFileSync(file, HEADER, { mode: 0o600, flag: "wx" });
  const text = readFileSync(file, "utf8");
  const known = parseEnv(text);
  const added = Object.entries(MAKE).flatMap(([name, make]) =>
    known[name] === undefined ? `${name}=${make()}\n` : [],
  );
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  if (added.length > 0) appendFileSync(file, gap + added.join(""));
  return Object.fromEntries(
    Object.entries(parseEnv(readFileSync(file, "utf8"))).map(([name, value]) => [
      name,
      value ?? "",
    ]),
  );
}
