import { EVALUATION, PROJECT } from "../demo-data.ts";
import type { ShownKeys } from "../demo-keys.ts";
import { send } from "./api.ts";
import type { SignIn } from "./sign-in.ts";

const LABEL_WIDTH = 10;

export const row = (label: string, ...lines: readonly string[]): string =>
  lines
    .map((line, index) => `  ${(index === 0 ? label : "").padEnd(LABEL_WIDTH)}${line}`)
    .join("\n");

/** Quotes the text as one word for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const curl = (url: string, key: string, ...more: readonly string[]) =>
  ["curl -sS", ...more, "-H", quoted(`Authorization: Bearer ${key}`), url].join(" ");

/** Commands that work as printed. The second one contains the current ETag. */
export async function curlLines(address: string, keys: ShownKeys): Promise<string> {
  const features = `${address}/api/client/features`;
  const { etag, status } = await send(features, { token: keys.server });
  if (etag === null) throw new Error(`GET /api/client/features returned ${status} without an ETag`);
  return [
    "Fetch all flags of production, as an SDK does:",
    "",
    curl(features, keys.server),
    "",
    `Fetch them only if they changed (304 while the ETag is ${etag}):`,
    "",
    curl(features, keys.server, "-i", "-H", quoted(`If-None-Match: ${etag}`)),
    "",
    "Let the service evaluate two flags for one customer:",
    "",
    curl(
      `${address}/api/client/evaluate`,
      keys.frontend,
      "-H",
      quoted("Content-Type: application/json"),
      "-d",
      quoted(JSON.stringify(EVALUATION)),
    ),
  ].join("\n");
}

/** `signIn` is a working sign-in, if there is one. `wanted` is the one in the variables of this start. */
export function signInRows(signIn: SignIn | undefined, wanted: SignIn): string {
  if (!signIn)
    return row(
      "Sign in",
      `as the administrator that this database was first started with; ${wanted.email} and the`,
      "password of this start are refused, and so are those in .dev.vars.",
    );
  const rows = [`E-mail    ${signIn.email}`, `Password  ${signIn.password}`];
  const isOther = signIn.email !== wanted.email || signIn.password !== wanted.password;
  if (isOther) rows.push(`(${wanted.email}: refused; this database has its administrator already)`);
  return row("Sign in", ...rows);
}

export const demoRow = (file: string): string =>
  row("Demo", `project "${PROJECT.name}"; the keys of all its environments are in ${file}`);

export const noLinesRow = (file: string): string =>
  row(
    "Demo",
    `no keys for examples: the project "${PROJECT.name}" is gone, or nobody is signed in to make`,
    `them. To have the project made again, delete ${file}`,
  );
