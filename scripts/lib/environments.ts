/**
 * The environments of wrangler.toml. An environment inherits neither bindings nor variables, so
 * each environment repeats the top-level sections. `npm run environments` keeps the values of an
 * environment's variables, the keys directly under `[env.<name>]`, and sections that environments
 * inherit.
 */
export const ENVIRONMENTS = ["staging", "production"] as const;

const START =
  "# `npm run environments` writes the sections below from the ones above. It keeps your own values of\n" +
  "# variables, the keys directly under [env.<name>] (routes, workers_dev), and inherited sections.\n";

/**
 * The sections that an environment inherits from the top level:
 * developers.cloudflare.com/workers/wrangler/configuration/#inheritable-keys
 */
const INHERITED = /^(assets|build|limits|migrations|observability|placement|routes|triggers)\b/;

/**
 * The secrets that only the environments require. Locally, the operational endpoints need no token.
 */
const DEPLOYED_SECRETS = ["ACTUATOR_TOKEN"];

/**
 * The difference between the rate limit namespace ids of one environment of wrangler.toml and the
 * next. Workers of an account that use the same namespace id share one rate limit.
 */
const NAMESPACES_APART = 100;

interface Section {
  /** The title of the section, without the brackets and without the prefix `env.<name>.`. */
  readonly name: string;
  readonly isList: boolean;
  readonly lines: readonly string[];
}

/**
 * Returns the whole wrangler.toml with up-to-date environments. Throws: an Error when the file
 * lacks the field `name`.
 */
export function withEnvironments(file: string): string {
  const at = file.indexOf(START);
  const top = (at === -1 ? file : file.slice(0, at)).trimEnd();
  const name = /^name = "([^"]+)"$/m.exec(top)?.[1];
  if (name === undefined) throw new Error("wrangler.toml lacks the field name");
  const written = at === -1 ? "" : file.slice(at + START.length);
  const repeated = sections(top).filter((section) => !INHERITED.test(section.name));
  const environments = ENVIRONMENTS.map((env, index) =>
    environment(env, {
      repeated: repeated.map((section) => renamed(section, name, env, index + 1)),
      own: sections(written, `env.${env}`),
    }),
  );
  return `${top}\n\n${START}\n${environments.join("\n")}`;
}

function environment(
  env: string,
  { repeated, own }: { readonly repeated: readonly Section[]; readonly own: readonly Section[] },
): string {
  const right = own.find(({ name }) => name === "");
  const values = own.find(({ name }) => name === "vars");
  const all = [
    right ?? { name: "", isList: false, lines: [] },
    ...own.filter(({ name }) => INHERITED.test(name)),
    ...repeated.map((section) =>
      section.name === "vars" && values ? withValues(section, values) : section,
    ),
  ];
  return all.map((section) => text(section, env)).join("\n");
}

function text({ name, isList, lines }: Section, env: string): string {
  const title = ["env", env, name].filter(Boolean).join(".");
  return [isList ? `[[${title}]]` : `[${title}]`, ...lines, ""].join("\n");
}

/**
 * Splits TOML into its sections. With `prefix`, returns only the sections of this environment.
 * Removes the comments of variables and of sections that are copied.
 */
function sections(toml: string, prefix?: string): Section[] {
  const found = toml.split(/^(?=\[\[?[\w.]+\]\]?$)/m).slice(1);
  return found.flatMap((part) => {
    const [header = "", ...lines] = part.trimEnd().split("\n");
    const path = header.replaceAll(/[[\]]/g, "");
    if (prefix !== undefined && path !== prefix && !path.startsWith(`${prefix}.`)) return [];
    const name = prefix === undefined ? path : path.slice(prefix.length + 1);
    const isOwn = prefix !== undefined && name !== "vars";
    const kept = lines.filter((line) => isOwn || (line !== "" && !line.startsWith("#")));
    return [{ name, isList: header.startsWith("[["), lines: kept }];
  });
}

/**
 * Renames the resources in a section for one environment: `feature-flags-usage` becomes
 * `feature-flags-staging-usage`.
 */
function renamed(section: Section, name: string, env: string, number: number): Section {
  if (section.name === "vars") return section;
  if (section.name === "secrets") return withDeployedSecrets(section);
  const lines = section.lines.map((line) =>
    line
      .replace(new RegExp(`"${name}(?=["-])`, "g"), `"${name}-${env}`)
      .replace(
        /^namespace_id = "(\d+)"/,
        (_, id: string) => `namespace_id = "${Number(id) + number * NAMESPACES_APART}"`,
      ),
  );
  return { ...section, lines };
}

/** Adds the secrets that only the environments require to the end of the list. */
function withDeployedSecrets(section: Section): Section {
  const added = DEPLOYED_SECRETS.map((name) => `  "${name}",`);
  return { ...section, lines: section.lines.flatMap((l) => (l === "]" ? [...added, l] : [l])) };
}

function withValues(defaults: Section, values: Section): Section {
  const given = new Map(values.lines.map((line) => [keyOf(line), line]));
  return { ...defaults, lines: defaults.lines.map((line) => given.get(keyOf(line)) ?? line) };
}

const keyOf = (line: string) => line.slice(0, line.indexOf("=")).trim();
