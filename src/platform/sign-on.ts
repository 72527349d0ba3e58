import { providerErrors, withIssuer } from "../core/sign-on/provider.ts";
import type { SignOnPort } from "../access/ports/sign-on.ts";
import { configuredProviders } from "../management/sign-on/provider-schema.ts";
import { SettingsError, variable } from "./runtime/settings.ts";

let readFor: { readonly env: Env; readonly settings: SignOnPort } | undefined;

/**
 * Returns the checked settings of sign-on, which are read once per environment object. They are not
 * among those of every part, so that a wrong provider stops no SDK. Throws: `SettingsError`.
 */
export function signOnSettings(env: Env): SignOnPort {
  if (readFor?.env !== env) readFor = { env, settings: readSettings(env) };
  return readFor.settings;
}

function readSettings(env: Env): SignOnPort {
  const allowHttp = variable(env, "SIGN_ON_ALLOW_HTTP", "false") === "true";
  return {
    allowHttp,
    breakGlass: variable(env, "SIGN_ON_BREAK_GLASS", "false") === "true",
    providers: signOnProviders(variable(env, "SIGN_ON_PROVIDERS", ""), allowHttp),
    secretOf: (slug) => {
      const name = `SIGN_ON_SECRET_${slug.toUpperCase().replaceAll("-", "_")}`;
      const secret = (env as unknown as Readonly<Record<string, unknown>>)[name];
      return typeof secret === "string" && secret !== "" ? secret : undefined;
    },
  };
}

function signOnProviders(text: string, allowHttp: boolean): SignOnPort["providers"] {
  if (text.trim() === "") return [];
  const wrong = (words: string) => new SettingsError(`SIGN_ON_PROVIDERS ${words}`);
  const read = configuredProviders.safeParse(jsonOf(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue?.path.length ? ` at ${issue.path.join(".")}` : "";
    throw wrong(`is not a JSON list of identity providers${place}: ${issue?.message ?? ""}`);
  }
  const providers = read.data.map(withIssuer);
  for (const provider of providers) {
    const [error] = providerErrors(provider, allowHttp);
    if (error) throw wrong(`${provider.slug}: ${error.field} ${error.message}`);
  }
  if (new Set(providers.map(({ slug }) => slug)).size < providers.length)
    throw wrong("has two providers with the same slug");
  return providers;
}

/** Returns the value of a JSON text; undefined if the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
