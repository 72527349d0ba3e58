import { EVALUATION, PROJECT } from "../demo-data.ts";
import type { ShownKeys } from "../demo-keys.ts";
import { send } from "./api.ts";
import type { SignIn } from "./sign-in.ts";

const LABEL_WIDTH = 10;

export const row = (label: string, ...lines: readonly string[]): string =>
  lines
    .map((line, index) => `  ${(index === 0 ? label : "").padEnd(LABEL_WIDTH)}${line}`)
    .join("\n");

/** One word for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const curl = (url: string, key: string, ...more: readonly string[]) =>
  ["curl -sS", ...more, "-H", quoted(`Authorization: Bearer ${key}`), url].join(" ");

/** Lines that work as printed, the second with the ETag of this moment. */
export async function curlLines(address: string, keys: ShownKeys): Promise<string> {
  const features = `${address}/api/client/features`;
  const { etag, status } = await send(features, { token: keys.server });
  if (etag === null) throw new Error(`GET /api/client/features answered ${status} without an ETag`);
  return [
    "All flags of production, as an SDK fetches them:",
    "",
    curl(features, keys.server),
    "",
    `The same if they have changed; 304 while they have not (ETag ${etag}):`,
    "",
    curl(features, keys.server, "-i", "-H", quoted(`If-None-Match: ${etag}`)),
    "",
    "Two flags, evaluated by the service for one customer:",
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

/** `signIn` is the one that works, if any does; `wanted` what the variables of this start name. */
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
