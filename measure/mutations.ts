import { parseSync } from "vite";

/** A mutation: a small change of a source file that a good test suite notices. */
export interface Mutation {
  readonly kind: Kind;
  /** The characters of the source that `text` replaces. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const KINDS = ["comparison", "guard", "status", "await", "limit"] as const;
type Kind = (typeof KINDS)[number];

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Each comparison operator, with the operator that replaces it. */
const COMPARISONS: Readonly<Record<string, string>> = {
  "<": ">=",
  "<=": "<",
  ">": "<=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
};

/** Each HTTP status or error code, with the status or code that replaces it. */
const STATUSES: Readonly<Record<string, string>> = {
  "200": "201",
  "201": "200",
  "204": "200",
  "304": "200",
  "400": "422",
  "401": "403",
  "403": "404",
  "404": "403",
  "409": "412",
  "412": "409",
  "429": "503",
  "503": "500",
  '"NOT_FOUND"': '"CONFLICT"',
  '"CONFLICT"': '"NOT_FOUND"',
  '"FORBIDDEN"': '"NOT_FOUND"',
  '"UNAUTHORIZED"': '"FORBIDDEN"',
  '"VALIDATION_ERROR"': '"BAD_REQUEST"',
  '"BAD_REQUEST"': '"VALIDATION_ERROR"',
};

/** Matches the name of a constant that is a limit, such as `MAX_VARIANTS`. */
const LIMIT = /^(MAX|MIN|MOST|LEAST)_|_(LIMIT|SIZE|COUNT)$/;

/**
 * Matches the name of a duration. Durations are not mutated, because no test can tell 30,001 ms
 * from 30,000 ms.
 */
const DURATION = /_(MS|SECONDS|MINUTES|HOURS|DAYS)$/;

/** Matches the limits of a Zod schema, such as `z.string().max(128)`. */
const SCHEMA_LIMIT = /\.(max|min|length|lte|gte)$/;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Whether the statement only leaves the function or the loop. */
function isExit(statement: Node): boolean {
  if (statement.type === "BlockStatement") {
    const body = statement["body"] as readonly Node[];
    return body.length === 1 && body[0] !== undefined && isExit(body[0]);
  }
  return /^(Return|Throw|Continue|Break)Statement$/.test(statement.type);
}

/** Lists every mutation of the source, in the order of the source. `file`: its name, for errors. */
export function mutations(file: string, source: string): Mutation[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const found: Mutation[] = [];
  const textOf = ({ start, end }: Node) => source.slice(start, end);

  const visit = (node: Node, parent: Node | undefined): void => {
    if (node.type.startsWith("TSType") || node.type === "TSInterfaceDeclaration") return;
    found.push(...mutationsOf(node, parent, textOf));
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) visit(child, node);
  };
  visit(program as unknown as Node, undefined);
  return found;
}

/** Whether a number is a limit, which the node around it shows. */
function isLimitOf(parent: Node, textOf: (node: Node) => string): boolean {
  if (parent.type === "VariableDeclarator") {
    const name = textOf(parent["id"] as Node);
    return LIMIT.test(name) && !DURATION.test(name);
  }
  return parent.type === "CallExpression" && SCHEMA_LIMIT.test(textOf(parent["callee"] as Node));
}

function mutationsOf(
  node: Node,
  parent: Node | undefined,
  textOf: (node: Node) => string,
): Mutation[] {
  const { start, end } = node;
  switch (node.type) {
    case "BinaryExpression": {
      const [left, right, operator] = [node["left"], node["right"], node["operator"]] as [
        Node,
        Node,
        string,
      ];
      const other = COMPARISONS[operator];
      if (other === undefined) return [];
      return [
        { kind: "comparison", start, end, text: `${textOf(left)} ${other} ${textOf(right)}` },
      ];
    }
    case "IfStatement": {
      const [test, consequent] = [node["test"], node["consequent"]] as [Node, Node];
      if (node["alternate"] || !isExit(consequent)) return [];
      return [{ kind: "guard", start: test.start, end: test.end, text: "false" }];
    }
    case "AwaitExpression":
      // Skips an `await` whose removal changes nothing: a caller waits for the result of an async
      // function, with or without `await`.
      if (/^(ReturnStatement|ArrowFunctionExpression)$/.test(parent?.type ?? "")) return [];
      return [{ kind: "await", start, end, text: textOf(node["argument"] as Node) }];
    case "Literal": {
      const raw = textOf(node);
      const other = STATUSES[raw];
      if (other !== undefined && parent?.type !== "ImportDeclaration")
        return [{ kind: "status", start, end, text: other }];
      const isLimit =
        typeof node["value"] === "number" && parent !== undefined && isLimitOf(parent, textOf);
      return isLimit ? [{ kind: "limit", start, end, text: `(${raw} + 1)` }] : [];
    }
    default:
      return [];
  }
}
