import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseSync } from "vite";
import { putSection, type Row, table } from "./lib/document.ts";
import { ROOT } from "./lib/processes.ts";

// `npm run sdk-api` writes docs/use/sdk-api.md from the sources of the SDK: every exported name
// with its signature, members and comments. With `--check`, a part of `npm run check`, it fails
// when the document is out of date.

const PACKAGE = path.join(ROOT, "packages/sdk");

/** A node of the syntax tree, with the fields that this script reads. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly accessibility?: string | null;
  readonly optional?: boolean;
  readonly override?: boolean;
  readonly id?: Node | null;
  readonly key?: Node;
  readonly local?: Node;
  readonly declaration?: Node | null;
  readonly typeAnnotation?: Node | null;
  readonly source?: { readonly value: string } | null;
  readonly specifiers?: readonly Node[];
  readonly value?: Node | null;
  /**
   * The members of an interface or a class, as an array in their body; a node in another
   * declaration.
   */
  readonly body?: Node | readonly Node[] | null;
}

interface Source {
  readonly file: string;
  readonly text: string;
  readonly body: readonly Node[];
  readonly comments: readonly Node[];
}

const sources = new Map<string, Source>();

function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, "utf8");
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const body = program.body as unknown as readonly Node[];
  const source = { file, text, body, comments: comments as unknown as readonly Node[] };
  sources.set(file, source);
  return source;
}

/** Returns the file of a module that a file of the SDK names; undefined for other packages. */
function fileOf(from: string, module: string): string | undefined {
  if (module.startsWith(".")) return path.join(path.dirname(from), module);
  const [, name] = /^@feature-flags\/evaluation\/([\w-]+)$/.exec(module) ?? [];
  return name && path.join(ROOT, `packages/evaluation/src/${name}.ts`);
}

/** Returns the comment that ends directly before a node, as one line; empty: there is none. */
function commentOf({ text, comments }: Source, { start }: Node): string {
  const comment = comments.find(
    ({ end }) => end <= start && /^\s*$/.test(text.slice(end, start)) && text[end - 1] === "/",
  );
  if (comment === undefined) return "";
  return text
    .slice(comment.start + 3, comment.end - 2)
    .replaceAll(/^\s*\* ?/gm, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Returns the text of a part of a source as one line. */
const line = ({ text }: Source, start: number, end: number): string =>
  text
    .slice(start, end)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/([([]) | (?=[)\]])/g, "$1")
    .replaceAll(/,(?=[)\]])/g, "")
    .trim();

const isNodes = (body: Node["body"]): body is readonly Node[] => Array.isArray(body);

/** Returns a member without its body or value: `ready(options?: { … }): Promise<void>`. */
function signatureOf(source: Source, member: Node): string {
  const { type, value, key, typeAnnotation } = member;
  const body = value?.body;
  let { end } = member;
  if (type === "MethodDefinition" && body && !isNodes(body)) end = body.start;
  if (type === "PropertyDefinition") end = (typeAnnotation ?? key ?? member).end;
  return line(source, member.start, end)
    .replace(/^(?:readonly |static |async )+/, "")
    .replace(/: \| /, ": ")
    .replace(member.optional === true ? / \| undefined;?$/ : /;$/, "")
    .replace(/;$/, "");
}

/**
 * Whether the reference lists a member. A member that overrides another is described where the
 * other is declared.
 */
const isListed = ({ key, accessibility, override }: Node): boolean =>
  key?.type !== "PrivateIdentifier" && accessibility !== "private" && override !== true;

const code = (text: string): string => `\`${text.replaceAll("|", String.raw`\|`)}\``;
const cell = (text: string): string => text.replaceAll("|", String.raw`\|`);

/** Returns the paragraphs about the members of an interface or a class. */
function membersOf(source: Source, members: readonly Node[]): string[] {
  const rows = members
    .filter(isListed)
    .map((member): Row => [code(signatureOf(source, member)), cell(commentOf(source, member))]);
  return rows.length === 0 ? [] : [table(["member", "meaning"], rows)];
}

const block = (text: string): string => `\`\`\`ts\n${text.trim()}\n\`\`\``;

/**
 * Returns the paragraphs about an exported declaration. `statement`: the declaration with its
 * `export`.
 */
function describe(source: Source, statement: Node): string[] {
  const { declaration } = statement;
  if (!declaration?.id) throw new Error(`${source.file}: an entry exports a constant`);
  const comment = commentOf(source, statement);
  const { body } = declaration;
  const inner = body && !isNodes(body) ? body : undefined;
  const members = inner && isNodes(inner.body) ? inner.body : [];
  const isType = /^TSInterface|^Class/.test(declaration.type);
  // A block keeps its `export`, because the formatter breaks a shorter line elsewhere.
  const start = isType ? declaration.start : statement.start;
  const head = source.text.slice(start, inner?.start ?? declaration.end);
  return [
    `### ${declaration.id.name}`,
    ...(comment === "" ? [] : [comment]),
    isType ? code(head.trim()) : block(`${head.trim().replace(/;$/, "")};`),
    ...(isType ? membersOf(source, members) : []),
  ];
}

/** Returns the exported names of a module, with the statement that declares each of them. */
function exportsOf(source: Source): [name: string, Source, Node][] {
  return source.body.flatMap((statement): [string, Source, Node][] => {
    if (statement.type !== "ExportNamedDeclaration") return [];
    const { declaration } = statement;
    if (declaration) return [[declaration.id?.name ?? "", source, statement]];
    const file = statement.source && fileOf(source.file, statement.source.value);
    if (!file) return [];
    const names = new Set(statement.specifiers?.map(({ local }) => local?.name));
    return exportsOf(sourceOf(file)).filter(([name]) => names.has(name));
  });
}

const manifest = JSON.parse(readFileSync(path.join(PACKAGE, "package.json"), "utf8")) as {
  readonly name: string;
  readonly exports: Readonly<
    Record<string, string | { readonly import: { readonly default: string } }>
  >;
};

const described = new Set<Node>();
const paragraphs = Object.entries(manifest.exports).flatMap(([entry, target]) => {
  if (typeof target === "string") return [];
  const specifier = path.posix.join(manifest.name, entry);
  const module = sourceOf(
    path.join(PACKAGE, "src", `${path.basename(target.import.default, ".js")}.ts`),
  );
  const all = exportsOf(module);
  const fresh = all.filter(([, , statement]) => !described.has(statement));
  for (const [, , statement] of fresh) described.add(statement);
  const others = all.filter((one) => !fresh.includes(one)).map(([name]) => code(name));
  const known = `Also exports ${others.join(", ")}, which are described above.`;
  return [`## ${specifier}`].concat(
    others.length > 0 ? [known] : [],
    fresh.flatMap(([, source, statement]) => describe(source, statement)),
  );
});

putSection(
  { file: "docs/use/sdk-api.md", name: "sdk-api", paragraphs, command: "npm run sdk-api" },
  process.argv.includes("--check"),
);
