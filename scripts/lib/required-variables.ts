import type { DeployOptions } from "./target.ts";

/**
 * Checks that the environment has its own `PUBLIC_URL`. Links in e-mails use it, because the caller
 * of a request may choose the host of the request.
 * Throws: an Error that says how to set the variable.
 */
export function assertPublicUrl({ target, variables }: DeployOptions): void {
  const value = variables["PUBLIC_URL"] ?? target.config.vars["PUBLIC_URL"] ?? "";
  if (URL.canParse(value) && new URL(value).protocol === "https:") return;
  throw new Error(
    [
      `${target.config.name} needs the address of its dashboard for links in e-mails, so nothing was deployed.`,
      "Set PUBLIC_URL to an https URL in wrangler.toml (docs/run/operations.md):",
      "",
      `  [env.${target.env}.vars]`,
      '  PUBLIC_URL = "https://flags.example.com"',
    ].join("\n"),
  );
}
