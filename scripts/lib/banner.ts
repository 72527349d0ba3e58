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

/** Returns curl commands that work as printed. The second command contains the current ETag. */
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

/**
 * Returns the lines of the banner that say how to sign in. `signIn`: the working e-mail and
 * password, if known. `wanted`: the e-mail and password in the variables of this start.
 */
export function signInRows(signIn: SignIn | undefined, wanted: SignIn): string {
  if (!signIn)
    return row(
      "Sign in",
      `as the administrator whom the first start created. Neither the variables of this start`,
      `(${wanted.email}) nor those in .dev.vars have an e-mail and a password that are enough to sign in.`,
    );
  const rows = [`E-mail    ${signIn.email}`, `Password  ${signIn.password}`];
  const isOther = signIn.email !== wanted.email || signIn.password !== wanted.password;
  if (isOther) rows.push(`(not ${wanted.email}: this database already has an administrator)`);
  return row("Sign in", ...rows);
}

export const demoRow = (file: string): string =>
  row("Demo", `project "${PROJECT.name}"; the API keys of its environments are in ${file}`);

export const noLinesRow = (file: string): string =>
  row(
    "Demo",
    `no API keys for example commands, because the project "${PROJECT.name}" was deleted or`,
    `the sign-in failed. To create the project again, delete ${file} and restart`,
  );
