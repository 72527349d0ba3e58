import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { attempt } from "./processes.ts";
import type { Target } from "./target.ts";
import { wrangler } from "./wrangler.ts";

/**
 * For each secret, the part of a shell command that generates the secret. The command also prints
 * the secret, because Cloudflare does not show a stored secret.
 */
const MADE: Readonly<Record<string, string>> = {
  SERVICE_JWT_SECRET: "openssl rand -hex 32 | tee /dev/stderr | ",
  SERVICE_ENCRYPTION_KEY: "openssl rand -base64 32 | tee /dev/stderr | ",
  ACTUATOR_TOKEN: "openssl rand -hex 32 | tee /dev/stderr | ",
};

/**
 * Checks that every required secret is set on the Worker or in the secrets file of this deployment.
 * Throws: an Error that says how to set the missing secrets.
 */
export async function assertSecrets(target: Target, file: string | undefined): Promise<void> {
  const required = target.config.secrets?.required ?? [];
  const present = new Set([...(await secretsOf(target)), ...namesIn(file)]);
  const missing = required.filter((name) => !present.has(name));
  if (missing.length === 0) return;
  const where = target.where.join(" ");
  const commands = missing.map(
    (name) => `  ${MADE[name] ?? ""}npx wrangler secret put ${name} ${where}`,
  );
  throw new Error(
    [
      `${target.config.name} lacks secrets, so nothing was deployed. Set them with these commands (docs/run/operations.md):`,
      "",
      ...commands,
    ].join("\n"),
  );
}

/**
 * Returns the names of the Worker's secrets; an empty list when the Worker does not exist. Throws:
 * any other error.
 */
async function secretsOf({ config, where }: Target): Promise<readonly string[]> {
  const { code, output, errors } = await attempt(wrangler(["secret", "list", ...where]));
  if (code === 0) return (JSON.parse(output) as { name: string }[]).map(({ name }) => name);
  if (errors.includes(`Worker "${config.name}"`) && errors.includes("not found")) return [];
  throw new Error(`wrangler secret list failed (${code})\n${errors}${output}`);
}

/**
 * Returns the names of the secrets in a file in the format of `wrangler deploy --secrets-file`:
 * JSON, or lines of NAME=value.
 */
function namesIn(file: string | undefined): readonly string[] {
  if (file === undefined) return [];
  const text = readFileSync(file, "utf8");
  return Object.keys(
    text.trimStart().startsWith("{") ? (JSON.parse(text) as object) : parseEnv(text),
  );
}
