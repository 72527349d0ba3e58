import { nameOfStatus } from "../http/error-contract.ts";
import { type Document, operationsOf } from "./complete.ts";
import { schemaName } from "./schema-example.ts";

/** In how many operations a parameter or a response must be before it becomes a component. */
const MIN_USES = 4;

interface Parameter {
  readonly name?: string;
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>;
}

/** The parameters of an operation by their place, or its responses by their status. */
type Holder<T> = Record<string, T | { readonly $ref: string }>;

/**
 * Moves parameters and responses that many operations have to the components of the document, so that
 * a reader sees each once. Changes and returns `document`.
 */
export function shared(document: Document): Document {
  const components = (document.components ??= {});
  const operations = operationsOf(document).map(({ operation }) => operation);
  const parameters = operations.map(
    (one) => (one.parameters ?? []) as unknown as Holder<Parameter>,
  );
  const responses = operations.map((one) => (one.responses ?? {}) as Holder<Response>);
  share("parameters", (components.parameters ??= {}), parameters, ({ name }) => name);
  share("responses", (components.responses ??= {}), responses, responseName);
  return document;
}

/** The most frequent of different values with the same name becomes the component. The others stay. */
function share<T extends object>(
  kind: "parameters" | "responses",
  components: Record<string, unknown>,
  holders: readonly Holder<T>[],
  nameOf: (value: T, key: string) => string | undefined,
): void {
  const places = holders.flatMap((holder) =>
    Object.entries(holder).flatMap(([key, value]) => {
      const name = "$ref" in value ? undefined : nameOf(value, key);
      return name === undefined ? [] : [{ holder, key, value, name }];
    }),
  );
  const uses = Map.groupBy(places, ({ name, value }) => JSON.stringify([name, value]));
  for (const same of [...uses.values()].toSorted((one, other) => other.length - one.length)) {
    const [first] = same;
    if (!first || same.length < MIN_USES || Object.hasOwn(components, first.name)) continue;
    components[first.name] = first.value;
    for (const { holder, key } of same)
      holder[key] = { $ref: `#/components/${kind}/${first.name}` };
  }
}

/**
 * Names a response by the schema of its body: `Flag`, `ChangeRequestAccepted` for the status 202, and
 * `OfrepNotFound` for an error. Undefined for a response without a named schema.
 */
function responseName({ content = {} }: Response, status: string): string | undefined {
  const reference = Object.values(content)[0]?.schema?.$ref;
  if (reference === undefined) return undefined;
  const schema = schemaName(reference);
  if (status === "202") return `${schema}Accepted`;
  const error = nameOfStatus(Number(status));
  return error === undefined ? schema : `${schema.replace(/Error$/, "")}${error}`;
}
